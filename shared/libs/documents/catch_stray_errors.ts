/** The names of the errors of pdf.js. */
const names = [
  "FormatError",
  "ParserEOFException",
  "UnknownErrorException",
  "XRefEntryException",
  "XRefParseException",
];

/**
 * Until it is disposed of, keeps a damaged PDF file from ending the process: pdf.js reads pages ahead, and where that
 * fails no other code can handle the rejection.
 */
export function catchStrayErrors(): AsyncDisposable {
  function prevent(event: PromiseRejectionEvent): void {
    if (event.reason instanceof Error && names.includes(event.reason.name)) event.preventDefault();
  }
  globalThis.addEventListener("unhandledrejection", prevent);
  return {
    async [Symbol.asyncDispose]() {
      // Unhandled rejections are reported with the next turn of the event loop.
      await new Promise((resolve) => setTimeout(resolve));
      globalThis.removeEventListener("unhandledrejection", prevent);
    },
  };
}
