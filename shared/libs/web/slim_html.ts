import { Parser } from "htmlparser2";
import { raiseText } from "../documents/write_marks.ts";
import { normalizeAddress } from "./normalize_address.ts";
import type { PageTitles } from "./page_title.ts";

/** A part of {@link SlimPage.pieces}, and the number of its characters of text; `prose` is what stands in no link. */
export type Region = { kind: "main" | "article"; start: number; end: number; text: number; prose: number };

/** The parts of a page that matter. */
export type SlimPage = {
  /** HTML of few tags, which are all closed and not deeply nested. */
  pieces: string[];
  elements: number;
  /** The number of characters of text. */
  text: number;
  /** The same without links, and what of that surrounds the content and was left out. */
  prose: number;
  surroundings: number;
  /** The part of the surroundings that was left out for the names of its elements alone. */
  named: number;
  /** The largest elements that hold main content, as the page marks it. */
  regions: Region[];
  titles: PageTitles;
  links: string[];
  canonical: string | null;
  isUnlisted: boolean;
  /** The page was too long, or built so that reading all of it would take too long. */
  isCut: boolean;
};

const mostHtml = 10_000_000;
/**
 * `withLinks`: the most elements of a page whose links are kept, since no larger one is judged by how many it has.
 * `marks`: tags and entities, each of which takes the parser time, for tags in proportion to the depth. `escapes`: the
 * signs & and < in the text, each of which becomes an event of the next parser.
 */
const ofPage = { text: 300_000, elements: 15_000, withLinks: 4_000, marks: 200_000, escapes: 15_000 };
/** What reads a file builds no tree of it. */
const ofFile = { text: mostHtml, elements: mostHtml, withLinks: mostHtml, marks: 500_000, escapes: mostHtml };
const deepest = 400;
const mostAttributes = 500;
/** Deeper elements keep their text. */
const deepestKept = 60;
/** Deeper lists and quotations are written as if they were less deep. */
const deepestList = 8;
const mostLinks = 5_000;
const longestTitle = 1_000;
const longestAddress = 500;
/** The most white space in a row in preformatted text: what reads it further looks at a gap once for each character. */
const longestGap = 100;
const pieceLength = 16 * 1_024;

const kept = new Set(
  ("p div section article main h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote pre " +
    "code br a").split(" "),
);
/** Elements whose text flows on. All that are not named here are blocks. */
const inline = new Set(
  ("span font label time abbr acronym cite small sub sup u ins mark q var data bdi bdo ruby rb rt b strong i em big wbr " +
    "slot nobr dfn button img").split(" "),
);
const lists = new Set(["ul", "ol", "blockquote"]);
const codes = new Set(["kbd", "samp", "tt"]);
/** Nothing in them is text of the page. */
const invisible = new Set(
  ("script style noscript template svg math iframe object embed canvas audio video picture img map button input select " +
    "option textarea datalist dialog menu rp progress meter frameset del s strike ix:header ix:hidden").split(" "),
);
/** Of these, a file keeps the text; what describes a drawing or a formula for programs is none. */
const drawn = new Set("svg math picture img textarea".split(" "));
const describing = new Set("desc metadata symbol annotation annotation-xml".split(" "));
const surroundingRoles = /^(?:navigation|banner|contentinfo|search|dialog|alertdialog|menu|menubar|toolbar|tooltip)$/;
const consent = new RegExp(
  "(?:cookie|consent|gdpr|privacy)[-_]?(?:banner|notice|bar|popup|pop-up|modal|dialog|overlay|message|wall|layer|manager|" +
    "box|consent|policy-banner|law)|onetrust|cookiebot|cybotcookie|didomi|usercentrics|cmplz|truste|qc-cmp|sp_message|" +
    "fc-consent|cc-window|iubenda",
  "i",
);
const surrounding =
  /(?:^|[\s_-])(?:nav|navbar|navigation|breadcrumbs?|sidebar|side-bar|site-header|site-footer|page-footer|topbar|masthead|toc|table-of-contents|share|sharing|social|newsletter|skip-link|skiplink|pagination)(?:$|[\s_-])/i;
/** Menus of a program that writes pages, which stand in their content: those of MediaWiki list hundreds of languages. */
const menus = /(?:^|\s)mw-portlet(?:$|\s)/;
const screenReader =
  /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text|visuallyhidden|skip-(?:link|nav|to|to-content|to-main))(?:$|\s)/;
const otherFiles =
  /\.(?:avif|bmp|css|csv|dmg|eot|exe|gif|gz|ico|iso|jpe?g|js|json|m4[av]|mjs|mov|mp[34]|mpe?g|ogg|png|pptx?|rar|rss|svg|tar|tgz|tiff?|ttf|wav|webm|webp|woff2?|xlsx?|xml|zip|7z)$/i;

/** Elements that answers follow: `summary` and `button` are written as headings. */
const questions = /^(?:h[2-6]|dt|summary)$/;

type Open = {
  name: string;
  /** The name that was written; empty for none. */
  written: string;
  isDropped: boolean;
  /** It is dropped, or would be, as no text of the page. */
  isUnseen: boolean;
  /** It is not shown at first, but answers the heading before it. */
  isAnswer: boolean;
  region: Region | null;
};

type SlimOptions = { url?: string | undefined; isXml?: boolean; keepsSurroundings?: boolean };

/**
 * Reduces a page to its text and the elements that carry its structure: menus, banners, scripts, struck text and all that
 * is hidden are left out, but for answers that stand collapsed behind their question. It takes about 60 ms of CPU time a
 * megabyte, whatever the page looks like. Many layouts are named after their sidebar: where the names of elements would
 * leave out more of a page than is left, they are ignored, in another pass.
 *
 * @param options.url its address; undefined for a file, which may be longer, and keeps formulas and what stands for pictures
 * @param options.isXml elements may end in their start tag
 * @param options.keepsSurroundings keeps headers, footers and asides, and of a file also banners
 */
export function slimHtml(html: string, options: SlimOptions): SlimPage {
  const slim = slimOnce(html, options);
  return options.url !== undefined && slim.named > slim.prose
    ? slimOnce(html, { ...options, ignoresNames: true })
    : slim;
}

function slimOnce(
  html: string,
  { url, isXml = false, ignoresNames = false, keepsSurroundings = false }: SlimOptions & { ignoresNames?: boolean },
): SlimPage {
  const slim: SlimPage = {
    pieces: [],
    elements: 0,
    text: 0,
    prose: 0,
    surroundings: 0,
    named: 0,
    regions: [],
    titles: { document: "", heading: "", outer: "", shared: "", site: "" },
    links: [],
    canonical: null,
    isUnlisted: false,
    isCut: html.length > mostHtml,
  };
  const isFile = url === undefined;
  const most = isFile ? ofFile : ofPage;
  const links = new Set<string>();
  const open: Open[] = [];
  /** The ids of parts that a button of the page shows and hides: hidden ones are read, too. */
  const controlled = new Set<string>();
  let base = url;
  let isFollowed = true;
  let [dropped, depth, inMain, inLists, preformatted, level] = [0, 0, 0, 0, 0, 1];
  let [attributes, seenLinks, escapes] = [0, 0, 0];
  /** The elements around this place that are hidden, links, or parts of a drawing or a formula. */
  let [hidden, inLinks, inDrawing] = [0, 0, 0];
  /** The weight of a character that surrounds the content: what asks for consent to cookies is often longer than that. */
  let weight = 1;
  /** The element that is left out has a name of surroundings, and no other sign of them. */
  let isNamed = false;
  /** The white space that was written last in preformatted text. */
  let gap = "";
  let isStopped = false;
  /** A question was read, and nothing behind it that is shown at first. */
  let isAsked = false;
  /** It has an answer, so that a button behind that belongs to something else. */
  let isAnswered = false;
  let answers = 0;
  /** The text of a button that may be a question: it has ended, and nothing came behind it. */
  let button: { text: string; hasEnded: boolean } | null = null;
  let position: "raised" | "lowered" | null = null;
  /** The title or heading that is being read. */
  let reading: "document" | "heading" | "outer" | null = null;

  function stop(): void {
    isStopped = slim.isCut = true;
  }
  function write(text: string): void {
    slim.pieces.push(text);
  }

  /** Shortens white space of preformatted text, which may span several texts. It keeps a line break. */
  function shortenGaps(text: string): string {
    const shortened = text.replace(/\s+/g, (white, at: number) => {
      if (at > 0) gap = "";
      const room = white.slice(0, longestGap - Math.min(gap.length, longestGap));
      const isBreakLost = white.includes("\n") && !`${gap}${room}`.includes("\n");
      const written = isBreakLost ? `${room}\n` : room;
      gap += written;
      return written;
    });
    if (text.at(-1)!.trim() !== "") gap = "";
    return shortened;
  }

  function addLink({ href, rel }: Record<string, string>): void {
    if (href === undefined || ++seenLinks > 4 * mostLinks || links.size >= mostLinks) return;
    if (/(?:^|\s)nofollow(?:\s|$)/i.test(rel ?? "") || href.startsWith("#")) return;
    const address = normalizeAddress(href, base);
    if (address !== null && !otherFiles.test(new URL(address).pathname)) links.add(address);
  }

  function readHead(name: string, found: Record<string, string>): void {
    if (name === "base" && base === url && found.href) base = normalizeAddress(found.href, url) ?? url;
    if (name === "link") {
      const rel = found.rel?.toLowerCase() ?? "";
      if (rel === "canonical" && found.href) slim.canonical ??= normalizeAddress(found.href, base);
      if (rel === "next" || rel === "prev") addLink({ href: found.href ?? "" });
    }
    if (name !== "meta") return;
    const content = found.content ?? "";
    const key = (found.property ?? found.name ?? found["http-equiv"] ?? "").toLowerCase();
    if (key === "og:title") slim.titles.shared ||= content.slice(0, longestTitle);
    if (key === "og:site_name") slim.titles.site ||= content.slice(0, longestTitle);
    if (key === "robots" && /noindex|none/i.test(content)) slim.isUnlisted = true;
    if (key === "robots" && /nofollow|none/i.test(content)) isFollowed = false;
    // A page that leads on to another one.
    if (key === "refresh") addLink({ href: /url\s*=\s*["']?([^"'\s]+)/i.exec(content.slice(0, 2_000))?.[1] ?? "#" });
  }

  function isBanner(name: string, label: string): boolean {
    if (isFile && keepsSurroundings || /^(?:html|body|main|article)$/.test(name)) return false;
    return consent.test(label);
  }

  function isSurrounding(name: string, found: Record<string, string>, label: string): boolean {
    if (keepsSurroundings || name === "body" || name === "html" || name === "main") return false;
    if (isSilent(name, found) && !isAnswer(name)) return true;
    if (/^(?:nav|menu|dialog)$/.test(name) || menus.test(label) || surroundingRoles.test(found.role ?? "")) return true;
    if (name === "footer" && !open.some((each) => each.name === "blockquote")) return true;
    if (name === "header") return inMain === 0;
    return name === "aside" && (inMain === 0 || surrounding.test(label));
  }

  function isNamedAsSurrounding(name: string, label: string): boolean {
    if (ignoresNames || keepsSurroundings || inMain > 0) return false;
    return /^(?:div|section|ul|ol|form|p|span|table)$/.test(name) && surrounding.test(label);
  }

  function isHidden(name: string, found: Record<string, string>): boolean {
    if (name === "body" || name === "html") return false;
    if (screenReader.test(found.class?.slice(0, 500) ?? "")) return true;
    const isTab = found.role === "tabpanel" || found.id !== undefined && controlled.has(found.id);
    return (isSilent(name, found) ? isUndisplayed(found) : isConcealed(found)) && !isTab && !isAnswer(name);
  }

  /** Returns whether a block of a file is shown and only not read aloud, as a whole page is while a dialog is open. */
  function isSilent(name: string, found: Record<string, string>): boolean {
    return isFile && found["aria-hidden"] === "true" && !inline.has(name);
  }

  /** Returns whether nothing in an element is text of the page. */
  function isInvisible(name: string, { shadowrootmode, open: opened }: Record<string, string>): boolean {
    if (name === "title" || isFile && describing.has(name)) return true;
    // Elements with a shadow have their text in a template, which browsers show.
    if (shadowrootmode === "open" || isFile && drawn.has(name)) return false;
    // In a file, these are surroundings.
    if (isFile && (name === "menu" || name === "dialog" && opened !== undefined)) return false;
    return invisible.has(name) && !(name === "button" && isButtonOfHeading());
  }

  /** Returns whether a hidden element answers the question before it. */
  function isAnswer(name: string): boolean {
    if (inline.has(name) || lists.has(name) && inMain === 0 || name === "form") return false;
    return isAsked || isQuestion();
  }

  /** A button in a heading is its text. Another one is a question if what it shows comes next. */
  function isButtonOfHeading(): boolean {
    return open.some(({ name }) => /^h[1-6]$/.test(name) || name === "dt");
  }

  /** Returns whether the button before this place says more than that there is more. */
  function isQuestion(): boolean {
    return button?.hasEnded === true && /\?\s*$|\S\s+\S+\s+\S/.test(button.text);
  }

  function writeButton(): void {
    const text = button!.text.replace(/\s+/g, " ").trim();
    const name = `h${Math.min(level + 1, 6)}`;
    button = null;
    if (text === "" || text.length > longestTitle) return;
    write(`<${name} class="level-${name[1]}">${escape(text)}</${name}>`);
    [isAsked, isAnswered] = [true, false];
  }

  function escape(text: string): string {
    return text.replace(/[&<]/g, (sign) => (escapes++, sign === "&" ? "&amp;" : "&lt;"));
  }

  /** The address of a link, for its attribute. A part of the same page has none. */
  function addressOf({ href = "" }: Record<string, string>): string {
    const address = isFile && base === undefined
      // One that is cut would lead elsewhere.
      ? href.length > longestAddress ? "" : href
      : /^(?:mailto|tel):/i.test(href)
      ? href.slice(0, longestAddress)
      : href.startsWith("#")
      ? null
      : normalizeAddress(href, base);
    return (address ?? "/").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  }

  /** The element that is written in place of one. */
  function nameInSlim(name: string): string {
    if (codes.has(name)) return "code";
    // A question that opens its answer is a heading: answers are found by it.
    if (name === "summary") return `h${Math.min(level + 1, 6)}`;
    if (name === "a" && slim.elements > most.withLinks) return "";
    if (lists.has(name) && inLists >= deepestList) return "";
    if (kept.has(name)) return name;
    // Of XML that is embedded in HTML, words and numbers of a sentence are elements.
    const isInline = inline.has(name) || inDrawing > 0 || name.includes(":");
    return isInline || name === "html" || name === "body" ? "" : "div";
  }

  const parser = new Parser({
    onopentagname() {
      attributes = 0;
    },
    onattribute() {
      if (++attributes > mostAttributes) stop();
    },
    onopentag(name, found) {
      if (isStopped) return;
      if (open.length >= deepest) return stop();
      if (name === "base" || name === "link" || name === "meta") return readHead(name, found);
      if (name === "a" || name === "area") addLink(found);
      if (name === "title" && slim.titles.document === "" && !open.some((each) => each.name === "svg")) {
        reading = "document";
      }
      if (name === "h1") {
        const place = inMain > 0 && dropped === 0 ? "heading" : "outer";
        if (slim.titles[place] === "") reading = place;
      }
      if (found["aria-controls"]) controlled.add(found["aria-controls"]);
      if (name === "br" || name === "hr") {
        if (dropped === 0) write(preformatted > 0 ? shortenGaps("\n") : name === "br" ? "<br>" : " ");
        if (++slim.elements > most.elements) stop();
        return;
      }
      if (name === "img" && isFile && found.alt && dropped === 0) write(escape(`[${found.alt}]`));
      if (name === "button" && dropped === 0 && !isButtonOfHeading()) {
        button = { text: "", hasEnded: false };
        if (isAnswered) isAsked = false;
      }
      const label = `${found.class ?? ""} ${found.id ?? ""}`.slice(0, 500);
      const asksForConsent = dropped === 0 && isBanner(name, label);
      const isSigned = asksForConsent || dropped === 0 && isSurrounding(name, found, label);
      const isBesides = isSigned || dropped === 0 && isNamedAsSurrounding(name, label);
      if (isBesides) [weight, isNamed] = [asksForConsent ? 1 / 8 : 1, !isSigned];
      const isUnseen = hidden > 0 || isInvisible(name, found) || isHidden(name, found);
      const isDropped = dropped > 0 || isBesides || isUnseen;
      const element: Open = {
        name,
        written: "",
        isDropped,
        isUnseen,
        isAnswer: !isDropped && isConcealed(found),
        region: null,
      };
      open.push(element);
      if (isUnseen) hidden++;
      if (name === "a") inLinks++;
      if (name === "svg" || name === "math") inDrawing++;
      if (isDropped) return void dropped++;
      if (element.isAnswer) {
        if (isQuestion()) writeButton();
        answers++;
      }
      if (name === "sup" || name === "sub") position = name === "sup" ? "raised" : "lowered";
      if (name === "rt") write("(");

      const isMain = name === "main" || found.role === "main";
      const written = isMain ? "main" : nameInSlim(name);
      if (inDrawing > 0 && name === "text") write(" ");
      if (++slim.elements > most.elements) return stop();
      if (written === "" || depth >= deepestKept) {
        if (written !== "") write(" ");
        return;
      }
      element.written = written;
      if (/^h[1-6]$/.test(name)) level = Number(name[1]);
      if (written === "main" || written === "article") {
        inMain++;
        element.region = { kind: written, start: slim.pieces.length, end: 0, text: slim.text, prose: slim.prose };
      }
      if (written === "pre") preformatted++;
      if (lists.has(written)) inLists++;
      depth++;
      write(`<${written}${written === "a" ? ` href="${addressOf(found)}"` : describeClass(written, found)}>`);
    },
    ontext(data) {
      if (isStopped) return;
      // A longer one is no question: it is looked at again for each element that follows.
      if (button !== null && !button.hasEnded && button.text.length <= longestTitle) {
        button.text += data.slice(0, longestTitle);
      }
      // Pages often hide their title where a logo shows it; what a file hides, nobody is to read.
      const isRead = reading !== null && !(isFile && hidden > 0);
      if (isRead && slim.titles[reading!].length < longestTitle) slim.titles[reading!] += data;
      if (dropped > 0 && hidden === 0 && inLinks === 0) {
        slim.surroundings += weight * data.trim().length;
        if (isNamed) slim.named += data.trim().length;
      }
      if (dropped > 0 || data === "") return;
      const text = preformatted > 0 ? shortenGaps(data) : data.replace(/\s+/g, " ");
      slim.text += text === " " ? 0 : text.length;
      if (inLinks === 0) slim.prose += text.trim().length;
      if (text.trim() !== "") {
        button = null;
        if (answers === 0) isAsked = false;
      }
      write(escape(position === null ? text : raiseText(text, position)));
      if (slim.text > most.text || escapes > most.escapes) stop();
    },
    onclosetag(name) {
      if (isStopped) return;
      if (name === "title" || name === "h1") reading = null;
      if (name === "button" && button !== null) button.hasEnded = true;
      if (name === "sup" || name === "sub") position = null;
      if (open.at(-1)?.name === name) close();
    },
  }, { recognizeSelfClosing: isXml });

  function close(): void {
    const { name, written, isDropped, isUnseen, isAnswer, region } = open.pop()!;
    if (isUnseen) hidden--;
    if (name === "a") inLinks--;
    if (name === "svg" || name === "math") inDrawing--;
    if (isDropped) return void dropped--;
    if (isAnswer) {
      answers--;
      isAnswered = true;
    }
    if (questions.test(name)) [isAsked, isAnswered] = [true, false];
    if (name === "rt") write(")");
    if (written === "") return;
    depth--;
    write(`</${written}>`);
    if (written === "pre") preformatted--;
    if (lists.has(written)) inLists--;
    if (region !== null) {
      inMain--;
      const [text, prose] = [slim.text - region.text, slim.prose - region.prose];
      slim.regions.push({ ...region, end: slim.pieces.length, text, prose });
    }
  }

  for (let [at, marks] = [0, 0]; at < Math.min(html.length, mostHtml) && !isStopped; at += pieceLength) {
    const piece = html.slice(at, Math.min(at + pieceLength, mostHtml));
    parser.write(piece);
    marks += (piece.match(/[<&]/g)?.length ?? 0) * (isFile ? 1 + open.length / 100 : 1);
    if (marks > most.marks) stop();
  }
  if (!isStopped) parser.end();
  while (open.length > 0) close();
  return { ...slim, links: isFollowed ? [...links] : [] };
}

/** The main content as the page marks it; null if it does not. One of several articles is part of a list. */
export function findMarked({ regions, text, prose }: SlimPage): Region | null {
  const byText = regions.toSorted((a, b) => b.text - a.text);
  const main = byText.find(({ kind }) => kind === "main");
  const articles = byText.filter(({ kind, prose: own }) => kind === "article" && own >= 0.05 * prose);
  const article = articles.find(({ prose: own, start, end }) =>
    own >= 0.5 * prose && !articles.some((other) => other.end <= start || other.start >= end)
  );
  return main && main.text >= Math.max(50, 0.25 * text) ? main : article ?? null;
}

/** Returns whether an element is not shown at first, or not read aloud. */
function isConcealed(found: Record<string, string>): boolean {
  return found["aria-hidden"] === "true" || isUndisplayed(found);
}

/** Returns whether an element is not shown at first. */
function isUndisplayed(found: Record<string, string>): boolean {
  return (found.hidden !== undefined && found.hidden !== "until-found") ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(found.style?.slice(0, 1_000) ?? "");
}

/** The class by which Readability judges a block; the language of code; the level of a heading, which Readability changes. */
function describeClass(written: string, { class: names = "", id = "" }: Record<string, string>): string {
  if (written === "code" || written === "pre") {
    const language = /\b(?:language|lang|highlight-source|brush:)[-\s]?([a-z0-9+#]{1,20})\b/i.exec(names.slice(0, 500))
      ?.[1];
    return language === undefined ? "" : ` class="language-${language.toLowerCase()}"`;
  }
  if (/^h\d$/.test(written)) return ` class="level-${written[1]}"`;
  if (written !== "div" && written !== "section" && written !== "p") return "";
  const label = `${names} ${id}`.replace(/[^\w\s-]/g, "").trim().slice(0, 100);
  return label === "" ? "" : ` class="${label}"`;
}
