import * as z from "zod/mini";

type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelCase<Tail>>}` : Name;

type InCamelCase<Fields> = { [Name in keyof Fields as CamelCase<Name>]: Fields[Name] };

/** An object in a reply of Postgres. `shape` has the names of SQL; what is parsed has the same names in camelCase. */
export function replyObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape).map((name): [sqlName: string, name: string] => [name, toCamelCase(name)]);
  return z.pipe(
    z.object(shape),
    z.transform((fields) => {
      const values: Record<string, unknown> = fields;
      const renamed: Record<string, unknown> = {};
      for (const [sqlName, name] of names) renamed[name] = values[sqlName];
      return renamed as InCamelCase<typeof fields>;
    }),
  );
}

function toCamelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
