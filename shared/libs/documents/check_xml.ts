import { unreadable } from "./document_reader.ts";

const deepest = 250;

// One of these at a time, from a known place on: nothing is looked at twice.
const startTag = /<([^\s<>"'=/!?]+)/y;
const attribute = /\s+[^\s<>"'=/]+\s*=\s*(?:"[^<"]*"|'[^<']*')/y;
const endOfStartTag = /\s*(\/?)>/y;
const endTag = /<\/([^\s<>"'=/]+)\s*>/y;

/**
 * Makes sure that an XML text is well-formed, so that its elements are where they seem to be, and can be read in time.
 *
 * @returns the number of tags and attributes, at most `maxMarks`
 * @throws {UnreadableDocument} when the text is not well-formed, has a document type, is nested more than 250 deep, or
 *   holds more.
 */
export function checkXml(xml: string, { maxMarks }: { maxMarks: number }): number {
  const open: string[] = [];
  let marks = 0;

  function countMark(): void {
    if (++marks > maxMarks) throw unreadable.tooLarge();
  }
  function match(pattern: RegExp, from: number): RegExpExecArray | null {
    pattern.lastIndex = from;
    return pattern.exec(xml);
  }

  /** The end of an element's start tag. */
  function readStartTag(from: number): number {
    const name = match(startTag, from)?.[1];
    const isSecondRoot = marks > 0 && open.length === 0;
    if (name === undefined || isSecondRoot) throw unreadable.damaged();
    countMark();
    let end = startTag.lastIndex;
    for (; match(attribute, end) !== null; end = attribute.lastIndex) countMark();
    const closing = match(endOfStartTag, end);
    if (closing === null) throw unreadable.damaged();
    if (closing[1] === "") {
      open.push(name);
      if (open.length > deepest) throw unreadable.tooLarge();
    }
    return endOfStartTag.lastIndex;
  }
  function readEndTag(from: number): number {
    const name = match(endTag, from)?.[1];
    if (name === undefined || name !== open.pop()) throw unreadable.damaged();
    countMark();
    return endTag.lastIndex;
  }
  function skipTo(terminator: string, from: number): number {
    const end = xml.indexOf(terminator, from);
    if (end === -1) throw unreadable.damaged();
    return end + terminator.length;
  }

  for (let at = xml.indexOf("<"); at !== -1;) {
    const end = xml.startsWith("<!--", at)
      ? skipTo("-->", at + 4)
      : xml.startsWith("<![CDATA[", at)
      ? skipTo("]]>", at + 9)
      : xml.startsWith("<?", at)
      ? skipTo("?>", at + 2)
      : xml.startsWith("</", at)
      ? readEndTag(at)
      : readStartTag(at);
    at = xml.indexOf("<", end);
  }
  if (open.length > 0) throw unreadable.damaged();
  return marks;
}
