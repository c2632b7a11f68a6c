import type { Block, DocumentReader, Loss } from "./document_reader.ts";
import { readChart, readDiagram } from "./docx/part_texts.ts";
import { openMainPart, type Relationship, relationshipsOf } from "./docx/relationships.ts";
import { openPackage, type Package } from "./open_package.ts";
import { createPartsReader, lossesOf } from "./parts_reader.ts";
import { readSlide } from "./pptx/read_slide.ts";
import { unreadable } from "./unreadable_document.ts";

const maxSlides = 5_000;
const longestTitle = 100;
const unread =
  /(?:^|\/)(?:media|embeddings|theme|slideMasters|slideLayouts|notesMasters|handoutMasters|comments|customXml|docProps|printerSettings|tags)\//i;

/** Opens a PPTX file; `part` of its position counts the slides that are shown. Throws UnreadableDocument. */
export function openPptx(bytes: Uint8Array): DocumentReader {
  const parts = openPackage(bytes, { isWanted: (name) => /\.(?:xml|rels)$/i.test(name) && !unread.test(name) });
  const slides = listSlides(parts);
  return createPartsReader({
    count: slides.length,
    readPart(index, lost) {
      parts.nextStep();
      return readPart(parts, { name: slides[index]!, page: index + 1 }, lost);
    },
    describe: (lost) => describe(lost, slides.length),
    hasPictures: true,
  });
}

/** The parts of the slides, in their order. */
function listSlides(parts: Package): string[] {
  const { xml, related } = openMainPart(parts, "ppt/presentation.xml");
  const slides: string[] = [];
  for (const [, attributes] of xml.matchAll(/<(?:\w+:)?sldId\s([^<>]*)>/g)) {
    // Its own id has no prefix.
    const id = /\s\w+:id="([^"]*)"/.exec(` ${attributes}`)?.[1] ?? "";
    const { target = "" } = related.get(id) ?? {};
    if (parts.bytes(target) !== undefined && !slides.includes(target)) slides.push(target);
    if (slides.length > maxSlides) throw unreadable.tooLarge();
  }
  return slides;
}

function readPart(parts: Package, { name, page }: { name: string; page: number }, lost: Record<string, number>) {
  const xml = parts.xml(name);
  if (/^[^<]*(?:<\?[^>]*>\s*)?<(?:\w+:)?sld(?=\s)[^<>]*\sshow="(?:0|false)"/.test(xml)) {
    lost.hidden_slides = 1;
    return [];
  }
  const related = relationshipsOf(parts, name);
  const lose = (kind: Loss["kind"]) => void (lost[kind] = (lost[kind] ?? 0) + 1);
  const { title, blocks } = readSlide(xml, contextOf(parts, related, lose));
  const notes = [...related.values()].find(({ kind }) => kind === "notesSlide")?.target ?? "";
  const ofNotes = contextOf(parts, relationshipsOf(parts, notes), lose);
  const said = readSlide(parts.xml(notes), { ...ofNotes, isNotes: true }).blocks;
  if (title === "" && blocks.length === 0) lost.slides_without_text = 1;
  if (title === "" && blocks.length === 0 && said.length === 0) return [];
  return [nameSlide(title, { blocks, page }), ...blocks, ...said].map((block) => ({ ...block, page }));
}

/** The heading of a slide: so that none has that of another. */
function nameSlide(title: string, { blocks, page }: { blocks: Block[]; page: number }): Block {
  const [first] = blocks[0]?.text.split("\n") ?? [];
  const isTitle = title === "" && first !== undefined && first === blocks[0]!.text && first.length <= longestTitle;
  if (isTitle && blocks.length > 1) blocks.shift();
  return { text: title || (isTitle ? first : `Slide ${page}`), page, level: 1, isApart: true };
}

function contextOf(parts: Package, related: Map<string, Relationship>, lose: (kind: Loss["kind"]) => void) {
  const readOther = (id: string, kind: Loss["kind"], read: (xml: string) => string) => {
    const text = read(parts.xml(related.get(id)?.target ?? ""));
    if (text === "") lose(kind);
    return text;
  };
  return {
    addressOf: (id: string) => related.get(id)?.isExternal ? related.get(id)!.target : undefined,
    readChart: (id: string) => readOther(id, "charts", readChart),
    readDiagram: (id: string) => readOther(id, "diagrams", readDiagram),
    lose,
  };
}

function describe({ hidden_slides = 0, slides_without_text = 0, ...lost }: Record<string, number>, total: number) {
  return [
    ...(slides_without_text > 0
      ? [{ kind: "slides_without_text" as const, count: slides_without_text, total: total - hidden_slides }]
      : []),
    ...(hidden_slides > 0 ? [{ kind: "hidden_slides" as const, count: hidden_slides }] : []),
    ...lossesOf(lost),
  ];
}
