/** Version of the API, and of the tools for agents. */
export const API_VERSION = '0.1.0';
