/** Variables by which LangChain prints prompts or sends them to a tracing service. */
const TRACING = /^(?:LANGSMITH|LANGCHAIN)_/;

/**
 * Removes the variables of LangChain from the environment of this process. Its callbacks read them
 * with each request, and would send questions and passages to another host. Footnote has no use for
 * any of them.
 */
export function silenceTracing(environment: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(environment)) if (TRACING.test(name)) delete environment[name];
}
