/** What pdf.js calls its own errors. */
const names = [
  "FormatError",
  "ParserEOFException",
  "UnknownErrorException",
  "XRefEntryException",
  "XRefParseException",
];

/**
 * Until it is disposed of, a damaged PDF file cannot end the process: pdf.js reads pages ahead, and what fails then is
 * a rejection that nobody else can handle.
 */
export function catchStrayErrors(): AsyncDisposable {
  function prevent(event: PromiseRejectionEvent): void {
    if (event.reason instanceof Error && names.includes(event.reason.name)) event.preventDefault();
  }
  globalThis.addEventListener("unhandledrejection", prevent);
  return {
    async [Symbol.asyncDispose]() {
      // They are told of once the event loop turns.
      await new Promise((resolve) => setTimeout(resolve));
      globalThis.removeEventListener("unhandledrejection", prevent);
    },
  };
}
