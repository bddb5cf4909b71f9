declare module 'html-encoding-sniffer' {
  interface SniffOptions {
    readonly transportLayerEncodingLabel?: string;
    readonly defaultEncoding?: string;
  }
  /** Name of the encoding as the Encoding Standard has it, or the default. */
  function sniffHtmlEncoding(bytes: Uint8Array, options?: SniffOptions): string;
  export = sniffHtmlEncoding;
}
