import { t } from "../texts.ts";

/** The largest sheet that the service accepts. A larger one is not sent. */
const maxBytes = 1024 * 1024;

/**
 * Reads the text of a file that was chosen.
 *
 * @throws {Error} with a sentence for the expert if it cannot be a sheet.
 */
export async function readSheetFile(file: File): Promise<string> {
  if (file.size > maxBytes) {
    throw new Error(t.answers.tooLarge);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(t.answers.notCsv);
  }
}
