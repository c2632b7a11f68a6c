import type { DocumentReader } from "./document_reader.ts";
import { readOdtBody } from "./odt/read_body.ts";
import { readOdtStyles } from "./odt/styles.ts";
import { openPackage } from "./open_package.ts";
import { createPartsReader } from "./parts_reader.ts";
import { unreadable } from "./unreadable_document.ts";

/** Opens an ODT file, whose text is read as a whole. Throws UnreadableDocument. */
export function openOdt(bytes: Uint8Array): DocumentReader {
  const parts = openPackage(bytes, {
    isWanted: (name) => /^(?:content|styles|META-INF\/manifest)\.xml$|^Object[^/]*\/content\.xml$/i.test(name),
  });
  if (/<(?:\w+:)?encryption-data[\s>]/.test(parts.text("META-INF/manifest.xml"))) throw unreadable.encrypted();
  const xml = parts.xml("content.xml");
  if (xml === "") throw unreadable.damaged();
  const styles = readOdtStyles([parts.xml("styles.xml"), xml]);
  return createPartsReader({
    count: 1,
    hasPictures: /<draw:image[\s>]/.test(xml),
    readPart: (_, lost) =>
      readOdtBody(xml, {
        styles,
        readObject: (name) => parts.xml(`${name}/content.xml`),
        lose: (kind) => void (lost[kind] = (lost[kind] ?? 0) + 1),
      }),
  });
}
