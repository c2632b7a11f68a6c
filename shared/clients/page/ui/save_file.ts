/** Lets the browser save a file, as if a link to it had been followed. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the file after this call.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
