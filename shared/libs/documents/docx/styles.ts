import { isOn, readXml } from "./read_xml.ts";

/** The look of a piece of text, where that changes what it says. */
export type Look = { isStruck?: boolean; isHidden?: boolean; position?: "raised" | "lowered" };

/** The properties that a style gives to its paragraphs. */
export type Style = Look & {
  /** For headings, from 1; 0 is the title. */
  level?: number;
  numberingId?: string;
  numberingLevel?: number;
};

type WrittenStyle = Style & { basedOn?: string };

const deepest = 20;
/** In half points. Less is to align letters of several fonts. */
const leastShift = 4;

/** Reads `word/styles.xml`. The function that is returned finds a style with what it inherits. */
export function readStyles(xml: string): (id: string | undefined) => Style {
  const styles = new Map<string, WrittenStyle>();
  let style: WrittenStyle = {};
  readXml(xml, {
    open(name, attributes) {
      const { val = "" } = attributes;
      if (name === "style") styles.set(attributes.styleId ?? "", style = {});
      else if (name === "name") Object.assign(style, levelOfName(val));
      else if (name === "basedOn") style.basedOn = val;
      else if (name === "outlineLvl" && Number(val) < 9) style.level ??= Number(val) + 1;
      else if (name === "numId") style.numberingId = val;
      else if (name === "ilvl") style.numberingLevel = Number(val);
      else changeLook(style, name, attributes);
    },
  });

  function find(id: string | undefined, depth = 0): Style {
    const { basedOn, ...own } = styles.get(id ?? "") ?? {};
    return basedOn === undefined || depth > deepest ? own : { ...find(basedOn, depth + 1), ...own };
  }
  const found = new Map<string | undefined, Style>();
  return (id) => {
    const its = found.get(id) ?? find(id);
    found.set(id, its);
    return its;
  };
}

function levelOfName(name: string): { level?: number } {
  if (/^title$/i.test(name)) return { level: 0 };
  const level = /^heading ([1-9])$/i.exec(name)?.[1];
  return level === undefined ? {} : { level: Number(level) };
}

/** Takes a property of text into account. */
export function changeLook(look: Look, name: string, attributes: Record<string, string>): void {
  if (name === "strike" || name === "dstrike") look.isStruck = isOn(attributes);
  else if (name === "vanish") look.isHidden = isOn(attributes);
  else if (name === "vertAlign") {
    const { val } = attributes;
    look.position = val === "superscript" ? "raised" : val === "subscript" ? "lowered" : undefined;
  } else if (name === "position" && Math.abs(Number(attributes.val)) >= leastShift) {
    look.position = Number(attributes.val) > 0 ? "raised" : "lowered";
  }
}
