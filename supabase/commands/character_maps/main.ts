/**
 * Packs the predefined character maps of the PDF standard for `shared/libs/documents/character_maps`, from the folder
 * `cmaps` of the package pdfjs-dist. Only needed for another version of them.
 *
 *     deno run -A supabase/commands/character_maps/main.ts <folder>
 */
import { brotliCompressSync } from "node:zlib";
import { Buffer } from "node:buffer";
import { concat } from "../../../shared/libs/base/std/bytes.ts";
import { collectionOf, collections } from "../../../shared/libs/documents/load_character_map.ts";

/** Those that the standard names, and the maps from each collection to Unicode. */
const names =
  /^(?:Adobe-(?:GB1|CNS1|Japan1|Korea1)-UCS2|(?:GB-EUC|GBpc-EUC|GBK-EUC|GBKp-EUC|GBK2K|UniGB-(?:UCS2|UTF16)|B5pc|HKscs-B5|ETen-B5|ETenms-B5|CNS-EUC|UniCNS-(?:UCS2|UTF16)|83pv-RKSJ|90msp?-RKSJ|90pv-RKSJ|Add-RKSJ|EUC|Ext-RKSJ|UniJIS-(?:UCS2|UCS2-HW|UTF16)|KSC-EUC|KSCms-UHC|KSCms-UHC-HW|KSCpc-EUC|UniKS-(?:UCS2|UTF16))-[HV]|H|V)\.bcmap$/;
const target = new URL("../../../shared/libs/documents/character_maps/", import.meta.url);
const license = `// The predefined character maps of PDF, packed by supabase/commands/character_maps.
// Copyright 1990-2019 Adobe. All rights reserved. Licensed under the BSD 3-Clause License
// (https://github.com/adobe-type-tools/cmap-resources/blob/master/LICENSE.md), in the form of pdf.js (Apache License 2.0).
`;

const [folder] = Deno.args;
if (folder === undefined) throw new TypeError("The folder of the maps is missing");
const files = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => names.test(name)).toSorted();
for (const collection of collections) {
  const maps = files.map((file) => ({ file, name: file.replace(".bcmap", "") }))
    .filter(({ name }) => collectionOf(name) === collection)
    .map(({ file, name }) => ({ name, bytes: Deno.readFileSync(`${folder}/${file}`) }));
  const sizes = maps.map(({ name, bytes }) => `  ["${name}", ${bytes.length}],\n`).join("");
  const packed = Buffer.from(brotliCompressSync(concat(maps.map(({ bytes }) => bytes)))).toString("base64");
  Deno.writeTextFileSync(
    new URL(`${collection}.ts`, target),
    `${license}\n/** Their names, in their order, with the bytes of each. */\nexport const sizes: [string, number][] = [\n${sizes}];\n` +
      `/** Their bytes, compressed. */\nexport const packed =\n  "${packed}";\n`,
  );
}
