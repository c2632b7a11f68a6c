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

/** Returns whether a property like `<w:strike/>` or `<w:strike w:val="0"/>` is on. */
export function isOn({ val = "true" }: Attributes): boolean {
  return !["0", "false", "off", "none"].includes(val);
}
