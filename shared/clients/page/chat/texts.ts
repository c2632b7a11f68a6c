import { en, type Plural, type Wording } from "../texts/texts.ts";
import { fill } from "../ui/fill.ts";

/** The texts of the element, in English. Placeholders such as `{name}` are filled in. */
export const english = { ...en.shared, ...en.chat };

/** The texts of the element. A site may replace one with a form for each number by one for all numbers. */
export type Texts =
  & {
    [Name in keyof Wording<typeof english>]: Wording<typeof english>[Name] extends Plural ? Plural | string
      : Wording<typeof english>[Name];
  }
  & Partial<Wording<typeof en.reader>>;

/** Says who speaks: the AI, the expert in person, or the expert in an answer that was pinned. */
export function describeAuthor(author: string | null, name: string, texts: Texts): string {
  return author === "pinned" ? fill(texts.ownWords, { name }) : author === "expert" ? texts.expert : texts.ai;
}
