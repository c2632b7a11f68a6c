import { Parser } from "htmlparser2";

/** The attributes of an element, by their names without prefix. */
export type Attributes = Record<string, string>;

/** Called for the parts of an XML text, in its order. Names have no prefix. */
export type XmlHandlers = {
  open(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
};

/** Reads an XML text that `checkXml` has accepted. */
export function readXml(xml: string, { open, close, text }: XmlHandlers): void {
  const parser = new Parser({
    onopentag: (name, attributes) => open(withoutPrefix(name), withoutPrefixes(attributes)),
    onclosetag: (name) => close?.(withoutPrefix(name)),
    ontext: (data) => text?.(data),
  }, { xmlMode: true });
  parser.end(xml);
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function withoutPrefixes(attributes: Attributes): Attributes {
  const plain: Attributes = {};
  for (const name in attributes) plain[withoutPrefix(name)] = attributes[name]!;
  return plain;
}

const named: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The characters of a text that was taken out of XML by hand. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex?: string, decimal?: string, name = "") => {
      if (hex === undefined && decimal === undefined) return named[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
      return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    },
  );
}

/** Returns whether a property like `<w:strike/>` or `<w:strike w:val="0"/>` is on. */
export function isOn({ val = "true" }: Attributes): boolean {
  return !["0", "false", "off", "none"].includes(val);
}
