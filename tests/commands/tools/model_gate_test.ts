import { join, relative } from "node:path";
import ts from "typescript";
import { projectRoot } from "../../../supabase/platform/state.ts";
import { assertEquals } from "../../support/assert.ts";

/** The code that asks models, and so costs money: members of the interfaces in `shared/libs/llm`, and the makers of requests. */
const asking = [
  ...["Model.stream", "Embedder.embed", "MediaReader.describeImage", "MediaReader.transcribe"],
  ...["createPostRequest", "createClientLoader"],
];

/** The only files that may use them: all but the last are the gate itself. */
const expected: Record<string, string[]> = {
  // Calls of a run count on what begin_turn() has reserved, or extend it; other runs are reserved first.
  "shared/core/budgets/budgeted_models.ts": ["Embedder.embed", "Model.stream"],
  // Background work is reserved first.
  "shared/core/budgets/work_models.ts": ["MediaReader.describeImage", "MediaReader.transcribe", "Model.stream"],
  // It wraps the models that the gate is given, and asks for nothing itself.
  "shared/features/background/meter_services.ts": [
    ...["Embedder.embed", "MediaReader.describeImage", "MediaReader.transcribe", "Model.stream"],
  ],
};

/** Files that ask models within a reservation that somebody else has made. */
const reservedBefore = {
  // Questions of turns, by begin_turn() or reserve_call(), and searches, by reserve_call().
  "shared/features/knowledge/embed_query.ts": ["embedReserved"],
  // By reserve_work().
  "shared/core/budgets/work_models.ts": ["embedReserved"],
};

const llm = join(projectRoot, "shared/libs/llm");

Deno.test("whatever asks a model has a budget behind it", async (t) => {
  const files = [...listFiles(join(projectRoot, "shared")), ...listFiles(join(projectRoot, "functions"))]
    .filter((file) => !file.startsWith(join(projectRoot, "shared/clients/")));

  await t.step("only the gate uses what asks a model", () => {
    assertEquals(findUses(files, asking, (file) => file.startsWith(llm)), expected);
  });

  await t.step("only known files embed what is reserved already", () => {
    const gate = join(projectRoot, "shared/core/budgets/budgeted_models.ts");
    assertEquals(findUses(files, ["embedReserved"], (file) => file === gate), reservedBefore);
  });

  await t.step("the walk sees every way to ask: by a name, out of an object, handed on", () => {
    const folder = join(projectRoot, "shared/features/chat");
    const sneaking = join(folder, "sneaking.ts");
    const text = `import type { Models } from "../../libs/llm/models.ts";
      import type { Embedder } from "../../libs/llm/embedder.ts";
      import { createPostRequest as post } from "../../libs/llm/openai_client.ts";
      export const sneak = ({ model, media: { transcribe } }: Models, embedder: Embedder) =>
        [model["stream"], transcribe, embedder.embed.bind(embedder), post];`;
    const isOurs = (file: string) => file.startsWith(llm);
    assertEquals(findUses([sneaking], asking, isOurs, new Map([[sneaking, text]])), {
      "shared/features/chat/sneaking.ts": [
        ...["Embedder.embed", "MediaReader.transcribe", "Model.stream", "createPostRequest"],
      ],
    });
  });
});

/**
 * The uses of exported functions and of members of interfaces, by file.
 *
 * @param names `Interface.member` or the name of a function
 * @param isOwn true for the files that declare them, whose own uses do not count
 * @param virtual texts of files that do not exist
 */
function findUses(
  files: string[],
  names: string[],
  isOwn: (file: string) => boolean,
  virtual: Map<string, string> = new Map(),
): Record<string, string[]> {
  const options: ts.CompilerOptions = {
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ESNext,
    noEmit: true,
    strict: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (file) => virtual.get(file) ?? readFile(file);
  host.fileExists = (file) => virtual.has(file) || fileExists(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = virtual.get(file);
    return text === undefined
      ? getSourceFile(file, languageVersion, ...rest)
      : ts.createSourceFile(file, text, languageVersion, true);
  };
  const program = ts.createProgram(files, options, host);
  const checker = program.getTypeChecker();
  const uses: Record<string, Set<string>> = {};

  const note = (file: string, symbol: ts.Symbol | undefined) => {
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    for (const declaration of target?.declarations ?? []) {
      if (!isOwn(declaration.getSourceFile().fileName)) continue;
      // A module has no parent.
      const parent: ts.Node | undefined = declaration.parent;
      if (parent === undefined) continue;
      const name = ts.isInterfaceDeclaration(parent) ? `${parent.name.text}.${target!.name}` : target!.name;
      if (names.includes(name)) (uses[relative(projectRoot, file)] ??= new Set()).add(name);
    }
  };
  for (const source of program.getSourceFiles()) {
    const file = source.fileName;
    if (!files.includes(file) || isOwn(file)) continue;
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) || ts.isStringLiteral(node)) note(file, checker.getSymbolAtLocation(node));
      if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
        const name = node.propertyName ?? node.name;
        if (ts.isIdentifier(name)) note(file, checker.getTypeAtLocation(node.parent).getProperty(name.text));
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return Object.fromEntries(
    Object.entries(uses).toSorted(([a], [b]) => a < b ? -1 : 1).map(([file, found]) => [file, [...found].toSorted()]),
  );
}

function* listFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* listFiles(path);
    else if (path.endsWith(".ts")) yield path;
  }
}
