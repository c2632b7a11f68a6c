/** A text that depends on a number: one form for each plural category of its language. `other` is for the rest. */
export type Plural = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** The texts of a language: as those in English, each with the same placeholders. */
export type Wording<English> = {
  [Name in keyof English]: English[Name] extends string ? string
    : English[Name] extends { other: string } ? Plural
    : Wording<English[Name]>;
};
