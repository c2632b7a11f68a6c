import { fieldsIn } from "../../../shared/features/coaches/coach_fields.ts";
import { reasoningEfforts, verbosities } from "../../../shared/libs/llm/model_settings.ts";
import { parseCoachFile } from "../../../supabase/commands/admin/read_coach_file.ts";
import { assertEquals, assertThrows } from "../../support/assert.ts";

const least = "name: Ada\ntitle: Countess\n";
const fileOf = (fields: string, body = "Tell.") => `---\n${fields}---\n${body}`;

Deno.test("parseCoachFile", async (t) => {
  await t.step("uses defaults for fields that are left out", () => {
    const expected: unknown = {
      id: null,
      fields: {
        name: "Ada",
        title: "Countess",
        ...Object.fromEntries(fieldsIn("file").filter(([, { usual }]) => usual === null).map(([name]) => [name, null])),
        starters: [],
        language: "english",
        history_limit: 20,
        takeover_minutes: 60,
        sources_are_open: false,
        instructions: "Tell.",
      },
    };
    assertEquals(parseCoachFile(fileOf(least)), expected);
    const empty = "id:\ngreeting: ~\nstarters:\nmodel:\nlanguage:\ntemperature:\nhistory_limit: null\n" +
      "reasoning_effort:\nverbosity: ~\nmax_output_tokens: null\nstore_responses:\n" +
      "no_answer: ~\ntakeover_minutes:\nsources_are_open: ~\n";
    assertEquals(parseCoachFile(fileOf(least + empty)), expected);
  });

  await t.step("leaves out of the name and the title what nobody sees", () => {
    const { fields } = parseCoachFile(fileOf('name: "A\\u202Eda\\u200B"\ntitle: "\\u2066Countess"\n'));
    assertEquals([fields.name, fields.title], ["Ada", "Countess"]);
    assertThrows(() => parseCoachFile(fileOf('name: "\\u200B"\ntitle: Countess\n')), Error, "name must not be blank");
  });

  await t.step("takes every effort and verbosity, and numbers at their bounds", () => {
    const read = (field: string) => parseCoachFile(fileOf(`${least}${field}\n`)).fields;
    for (const effort of reasoningEfforts) {
      assertEquals(read(`reasoning_effort: ${effort}`).reasoning_effort, effort);
    }
    for (const verbosity of verbosities) assertEquals(read(`verbosity: ${verbosity}`).verbosity, verbosity);
    for (const tokens of [16, 1_000_000]) assertEquals(read(`max_output_tokens: ${tokens}`).max_output_tokens, tokens);
    for (const temperature of [0, 2]) assertEquals(read(`temperature: ${temperature}`).temperature, temperature);
    for (const store of [true, false]) assertEquals(read(`store_responses: ${store}`).store_responses, store);
  });

  await t.step("keeps the body, including horizontal rules, without white space at its ends", () => {
    const { fields } = parseCoachFile(fileOf(least, "\n\n# Who\n\n---\n\n  Tell.\n\n"));
    assertEquals(fields.instructions, "# Who\n\n---\n\n  Tell.");
  });

  await t.step("reads files with the line ends of any system", () => {
    const text = fileOf(`${least}greeting: |\n  One\n  Two\n`, "Tell.\nMore.\n");
    const { fields } = parseCoachFile(`\ufeff${text.replaceAll("\n", "\r\n")}`);
    assertEquals([fields.name, fields.greeting, fields.instructions], ["Ada", "One\nTwo", "Tell.\nMore."]);
  });

  await t.step("takes six starters, and texts of the greatest length", () => {
    const read = (fields: string) => parseCoachFile(fileOf(`name: ${"é".repeat(200)}\ntitle: T\n${fields}`)).fields;
    const { starters, greeting } = read(`starters:\n${"  - ' What? '\n".repeat(5)}  - ${"😀".repeat(200)}\n`);
    assertEquals([starters, greeting], [[...Array(5).fill("What?"), "😀".repeat(200)], null]);
    assertEquals(read(`starters: []\ngreeting: ${"x".repeat(2_000)}\n`).greeting?.length, 2_000);
  });
});

Deno.test("parseCoachFile refuses a file that is no coach", async (t) => {
  const refused: [file: string, sentence: string][] = [
    ["", "has no front matter: the file must start with fields between two lines of ---"],
    ["# Ada", "has no front matter: the file must start with fields between two lines of ---"],
    [`---\n${least}\nTell.`, "has no front matter: the file must start with fields between two lines of ---"],
    [
      `{"name": "Ada", "title": "T"}\nTell.`,
      "has no front matter: the file must start with fields between two lines of ---",
    ],
    [fileOf("- name\n- title\n"), "has invalid front matter: it has no fields, such as name: Ada Byron"],
    [fileOf("Ada\n"), "has invalid front matter: it has no fields, such as name: Ada Byron"],
    [fileOf("title: T\n"), "has invalid front matter: the field name is missing"],
    [fileOf("name:\ntitle: T\n"), "has invalid front matter: the field name is missing"],
    [fileOf("name: ' '\ntitle: T\n"), "has invalid front matter: name must not be blank"],
    [
      fileOf("name: [Ada]\ntitle: 1\n"),
      "has invalid front matter: name must be a string: put it in quotes; title must be a string: put it in quotes",
    ],
    [
      fileOf(`name: ${"x".repeat(201)}\ntitle: T\n`),
      "has invalid front matter: name must be at most 200 characters long",
    ],
    [
      fileOf(`${least}greeting: ${"x".repeat(2_001)}\n`),
      "has invalid front matter: greeting must be at most 2,000 characters long",
    ],
    [
      fileOf(`${least}starters: Why?\n`),
      "has invalid front matter: starters must be a list of at most six questions",
    ],
    [
      fileOf(`${least}starters: [${"a,".repeat(7)}]\n`),
      "has invalid front matter: starters must be a list of at most six questions",
    ],
    ...([["7", "be a string: put it in quotes"], ["' '", "not be blank"], ['"a\\nb"', "be one line"], [
      "x".repeat(201),
      "be at most 200 characters long",
    ]] as const).map(([entry, sentence]): [string, string] => [
      fileOf(`${least}starters:\n  - Why?\n  - ${entry}\n`),
      `has invalid front matter: Each of starters must ${sentence}`,
    ]),
    [fileOf(`${least}model: 2026-01-01\n`), "has invalid front matter: model must be a string: put it in quotes"],
    [
      fileOf(`${least}temperature: warm\n`),
      "has invalid front matter: temperature must be a number from 0 to 2",
    ],
    [
      fileOf(`${least}temperature: 2.1\n`),
      "has invalid front matter: temperature must be a number from 0 to 2",
    ],
    [
      fileOf(`${least}temperature: .nan\n`),
      "has invalid front matter: temperature must be a number from 0 to 2",
    ],
    ...["lowest", "LOW", "0", "[low]"].map((effort): [string, string] => [
      fileOf(`${least}reasoning_effort: ${effort}\n`),
      "has invalid front matter: reasoning_effort must be one of none, minimal, low, medium, high, xhigh, max",
    ]),
    [
      fileOf(`${least}verbosity: none\n`),
      "has invalid front matter: verbosity must be one of low, medium, high",
    ],
    ...["15", "1000001", "99.5", "many"].map((tokens): [string, string] => [
      fileOf(`${least}max_output_tokens: ${tokens}\n`),
      "has invalid front matter: max_output_tokens must be a whole number from 16 to 1000000",
    ]),
    ...["'true'", "yes", "1"].map((store): [string, string] => [
      fileOf(`${least}store_responses: ${store}\n`),
      "has invalid front matter: store_responses must be true or false",
    ]),
    [
      fileOf(`${least}history_limit: 1.5\n`),
      "has invalid front matter: history_limit must be a whole number from 0 to 200",
    ],
    [
      fileOf(`${least}takeover_minutes: 0\n`),
      "has invalid front matter: takeover_minutes must be a whole number from 1 to 10080",
    ],
    [
      fileOf(`${least}no_answer: ${"x".repeat(1_001)}\n`),
      "has invalid front matter: no_answer must be at most 1,000 characters long",
    ],
    [
      fileOf(`${least}history_limit: 201\n`),
      "has invalid front matter: history_limit must be a whole number from 0 to 200",
    ],
    [
      fileOf(`${least}greting: Hi\n"\\e[2J": x\n`),
      "has invalid front matter: a coach has no field greting, \\u{1b}[2J; its fields are " +
      ["id", ...fieldsIn("file").map(([name]) => name).filter((name) => name !== "instructions")].join(", "),
    ],
    [fileOf(least, " \n"), "has no instructions below its front matter"],
    [`---\n${least}---`, "has no instructions below its front matter"],
  ];
  for (const [file, sentence] of refused) {
    await t.step(`refuses ${JSON.stringify(file)}`, () => {
      assertEquals(assertThrows(() => parseCoachFile(file), Error).message, sentence);
    });
  }

  await t.step("quotes the reason when the YAML cannot be read", () => {
    for (const fields of ['name: "Ada\n', "name: a: b\n", "name: Ada\nname: Eve\n"]) {
      assertThrows(() => parseCoachFile(fileOf(fields)), Error, "has front matter that is not valid YAML: ");
    }
  });
});
