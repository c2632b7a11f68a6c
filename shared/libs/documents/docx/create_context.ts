import { type Block, type Loss, unreadable } from "../document_reader.ts";
import { readHtml } from "../read_html.ts";
import { type Counters, readNumbering } from "./numbering.ts";
import { readChart, readDiagram } from "./part_texts.ts";
import { type BodyContext, readBody } from "./read_body.ts";
import { readMht } from "./read_mht.ts";
import { nameOfRelationships, readRelationships, type Relationship } from "./relationships.ts";
import { readStyles } from "./styles.ts";

/** The rest of a line with the number of a page. */
const pageWords = /^(?:(?:page|seite|página|pagina|صفحة|of|von|de|di|sur|من)[^\p{L}]*)+$/iu;
/** The most characters of other parts that a slice may show. */
const maxRead = 4_000_000;

/** The parts of a document but its body, by their names in the archive. */
export type DocxParts = ReadonlyMap<string, string>;

/** Passed from one slice of a document to the next. */
export type DocxState = { counters: Counters; header: string | undefined; lost: Record<string, number> };

/** Shared by all slices of a document. */
export type DocxContext = {
  inState(state: DocxState): BodyContext;
  /** The texts of headers and footers, each once. */
  readMargins(state: DocxState): Block[];
};

/** A document in another one, and the length of all its parts. */
export type InnerDocument = { length: number; read(state: DocxState): Block[] };

/** Reads what the parts around a body, called `name`, say. `openInner` opens documents among the parts, if it can. */
export function createContext(
  parts: DocxParts,
  name: string,
  openInner: (file: string) => InnerDocument | undefined,
): DocxContext {
  const relationships = relationshipsOf(name);
  const partOf = (kind: string) => {
    const relationship = [...relationships.values()].find((relationship) => relationship.kind === kind);
    return parts.get(relationship?.target ?? `word/${kind}.xml`) ?? "";
  };
  const styleOf = readStyles(partOf("styles"));
  const nextNumber = readNumbering(partOf("numbering"));
  const notes = { footnote: splitNotes(partOf("footnotes")), endnote: splitNotes(partOf("endnotes")) };

  const relatedToNotes = {
    footnote: relationshipsOf("word/footnotes.xml"),
    endnote: relationshipsOf("word/endnotes.xml"),
  };

  function relationshipsOf(part: string): Map<string, Relationship> {
    return readRelationships(parts.get(nameOfRelationships(part)) ?? "", part);
  }

  /** `related` are the relationships of the part that is being read. Notes have no notes. */
  function contextOf(state: DocxState, related: Map<string, Relationship>, isNote = false): BodyContext {
    let read = 0;
    let readInside = 0;
    const spend = (text: string): string => {
      read += text.length;
      // Notes and charts may be referred to any number of times.
      if (read > maxRead) throw unreadable.tooLarge();
      return text;
    };
    const lose = (kind: Loss["kind"]): Block[] => {
      state.lost[kind] = (state.lost[kind] ?? 0) + 1;
      return [];
    };
    const readPart = (id: string, kind: Loss["kind"], read: (text: string) => string): Block[] => {
      const part = parts.get(related.get(id)?.target ?? "");
      const text = part === undefined ? "" : read(spend(part));
      return text === "" ? lose(kind) : [{ text, page: null, level: null }];
    };
    const readInner = (file: string): Block[] | undefined => {
      if (readInside > maxRead) return undefined;
      const inner = openInner(file);
      readInside += inner?.length ?? maxRead;
      return readInside > maxRead ? undefined : inner?.read({ ...state, counters: {}, header: undefined });
    };
    /** Undefined if it is of an unknown kind, damaged, or too long. */
    const readChunk = (name: string, text: string): Block[] | undefined => {
      const kind = /[^.]*$/.exec(name)![0].toLowerCase();
      if (kind === "txt") return [{ text: spend(text), page: null, level: null }];
      if (kind === "docx" || kind === "docm") return readInner(text);
      const html = kind === "mht" || kind === "mhtml" ? readMht(spend(text)) : spend(text);
      return html === undefined ? undefined : readHtml(html);
    };
    return {
      styleOf,
      nextNumber,
      counters: state.counters,
      header: state.header,
      addressOf: (id) => related.get(id)?.isExternal ? related.get(id)!.target : undefined,
      readChart: (id) => readPart(id, "charts", readChart),
      readDiagram: (id) => readPart(id, "diagrams", readDiagram),
      readOther(id) {
        const target = related.get(id)?.target ?? "";
        const text = parts.get(target);
        const blocks = text === undefined ? undefined : readChunk(target, text);
        return blocks ?? lose("parts");
      },
      lose: (kind) => void lose(kind),
      readNote(kind, id) {
        if (isNote) return "";
        const xml = spend(notes[kind].get(id) ?? "");
        const context = contextOf({ ...state, header: undefined }, relatedToNotes[kind], true);
        const blocks = readBody(xml, context);
        return blocks.map(({ text }) => text).filter(Boolean).join(" ");
      },
    };
  }

  function readMargins(state: DocxState): Block[] {
    const margins = [...relationships.values()].filter(({ kind }) => kind === "header" || kind === "footer");
    return joinMargins(
      margins.flatMap(({ target }) => readBody(parts.get(target) ?? "", contextOf(state, relationshipsOf(target)))),
    );
  }

  return { inState: (state) => contextOf(state, relationships), readMargins };
}

/** One block of the texts of headers and footers, each once, but for those that only number the pages. */
export function joinMargins(margins: Block[]): Block[] {
  const texts = new Set(margins.map(({ text }) => text.trim()));
  const shown = [...texts].filter((text) => /\p{L}/u.test(text) && !pageWords.test(text));
  return shown.length === 0 ? [] : [{ text: shown.join("\n"), page: null, level: null }];
}

/** The XML of each note, by its id. */
function splitNotes(xml: string): Map<string, string> {
  // Each is cut off where the next begins, so that no end is looked for in all that follows.
  const notes = xml.split(/<(?:\w+:)?(?:foot|end)note\s/).slice(1);
  return new Map(notes.map((note): [string, string] => {
    const [, attributes = "", content = ""] = /^([^<>]*)>([^]*?)<\/(?:\w+:)?(?:foot|end)note\s*>/.exec(note) ?? [];
    return [/\bid="([^"]*)"/.exec(attributes)?.[1] ?? "", content];
  }));
}
