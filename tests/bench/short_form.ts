/** True with the option `--short`: the sections only show that they still run, and their figures mean nothing. */
export const isShort: boolean = Deno.args.includes("--short");

/** The amount of work in a measurement, or in its short form. */
export function orShort<Amount>(usual: Amount, short: Amount): Amount {
  return isShort ? short : usual;
}
