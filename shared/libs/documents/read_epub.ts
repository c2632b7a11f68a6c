import { type Block, type DocumentReader, unreadable } from "./document_reader.ts";
import { readXml } from "./docx/read_xml.ts";
import { openPackage, type Package } from "./open_package.ts";
import { createPartsReader } from "./parts_reader.ts";
import { readHtml } from "./read_html.ts";
import { decodePart } from "../base/text.ts";

const maxChapters = 5_000;
/** The text of one, with its elements, is read at once. */
const longestChapter = 3_000_000;

/** Opens an EPUB file; `part` of its position counts the chapters, in the order of reading. Throws UnreadableDocument. */
export function openEpub(bytes: Uint8Array): DocumentReader {
  const parts = openPackage(bytes, { isWanted: (name) => /\.(?:xml|opf|ncx|x?html?|htm)$/i.test(name) });
  const { chapters, about } = listChapters(parts);
  return createPartsReader({
    count: chapters.length,
    hasPictures: true,
    readPart(index) {
      const { file, title } = chapters[index]!;
      const html = parts.text(file);
      if (html.length > longestChapter) throw unreadable.tooLarge();
      const blocks = readHtml(html, { isXhtml: true });
      const isNamed = title === undefined || blocks.slice(0, 5).some(({ level }) => level !== null);
      if (!isNamed && blocks.length > 0) blocks.unshift({ text: title, page: null, level: 1 });
      const opening: Block[] = index === 0 && about !== "" ? [{ text: about, page: null, level: null }] : [];
      return blocks[0]?.level === null
        ? [...opening, ...blocks]
        : [...blocks.slice(0, 1), ...opening, ...blocks.slice(1)];
    },
  });
}

type Chapter = { file: string; title: string | undefined };

function listChapters(parts: Package): { chapters: Chapter[]; about: string } {
  const book = /<(?:\w+:)?rootfile\s[^<>]*full-path="([^"]*)"/.exec(parts.xml("META-INF/container.xml"))?.[1] ?? "";
  const name = decodeName(book);
  const xml = parts.xml(name);
  if (xml === "") throw unreadable.damaged();
  const encrypted = encryptedParts(parts);
  const items = new Map<string, { file: string; properties: string }>();
  const spine: string[] = [];
  const about: string[] = [];
  let [toc, element] = ["", ""];
  readXml(xml, {
    open(tag, { id = "", href = "", properties = "", idref = "", toc: ncx = "" }) {
      element = tag;
      if (tag === "item") items.set(id, { file: resolve(href, name), properties });
      if (tag === "spine") toc = ncx;
      if (tag === "itemref") spine.push(idref);
    },
    close: () => void (element = ""),
    text(text) {
      if ((element === "title" || element === "creator") && text.trim() !== "") about.push(text.trim());
    },
  });
  const contents = [...items.values()].find(({ properties }) => /(?:^|\s)nav(?:\s|$)/.test(properties))?.file;
  const titles = readTitles(parts, { contents, ncx: items.get(toc)?.file });
  const files = [...new Set(spine.map((id) => items.get(id)?.file))].filter((file) => file !== undefined);
  const found = files.filter((file) => file !== contents && parts.bytes(file) !== undefined);
  if (found.some((file) => encrypted.has(file))) throw unreadable.encrypted();
  if (found.length > maxChapters) throw unreadable.tooLarge();
  return { chapters: found.map((file) => ({ file, title: titles.get(file) })), about: about.join(", ") };
}

/** The names of chapters in the table of contents, by their files. */
function readTitles(
  parts: Package,
  { contents, ncx }: { contents: string | undefined; ncx: string | undefined },
): Map<string, string> {
  const titles = new Map<string, string>();
  const add = (file: string, title: string) => {
    const plain = title.replace(/\s+/g, " ").trim();
    if (plain !== "" && !titles.has(file)) titles.set(file, plain);
  };
  let [href, words, isText] = ["", "", false];
  if (contents !== undefined) {
    readXml(parts.text(contents), {
      open(name, attributes) {
        if (name === "a") [href, words, isText] = [attributes.href ?? "", "", true];
      },
      text: (text) => void (words += isText ? text : ""),
      close(name) {
        if (name !== "a") return;
        add(resolve(href, contents), words);
        isText = false;
      },
    });
  } else if (ncx !== undefined) {
    readXml(parts.xml(ncx), {
      open(name, attributes) {
        if (name === "navPoint") words = "";
        if (name === "content") add(resolve(attributes.src ?? "", ncx), words);
        isText = name === "text";
      },
      text: (text) => void (words += isText ? text : ""),
      close: () => void (isText = false),
    });
  }
  return titles;
}

/** The parts that open with a key alone. Fonts are often mangled, which is no harm. */
function encryptedParts(parts: Package): Set<string> {
  const references = parts.xml("META-INF/encryption.xml").matchAll(/<(?:\w+:)?CipherReference\s[^<>]*URI="([^"]*)"/g);
  return new Set(Array.from(references, ([, name]) => decodeName(name!)));
}

function resolve(href: string, from: string): string {
  const path = from.split("/").slice(0, -1);
  for (const step of decodeName(href.split("#")[0]!).split("/")) {
    if (step === "..") path.pop();
    else if (step !== "" && step !== ".") path.push(step);
  }
  return path.join("/");
}

/** The name of a part, as an attribute of XML has it. */
function decodeName(written: string): string {
  return decodePart(written.replaceAll("&amp;", "&"));
}
