import { join } from "node:path";
import { projectRoot } from "../../supabase/platform/state.ts";
import { writePromptfooCsv } from "../../supabase/commands/admin/test_files/promptfoo_csv.ts";
import type { TestCase } from "../../shared/features/coach_tests/test_case.ts";
import { assert, assertEquals } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { inventTests } from "../support/invent_tests.ts";
import { sweep } from "../support/knowledge.ts";
import { bodiesOf } from "../support/model_requests.ts";
import type { ModelBody } from "../support/model_server.ts";
import { openaiUrl } from "../support/openai_clients.ts";
import { createTenant, operator } from "../support/project.ts";
import { runPromptfoo } from "../support/promptfoo.ts";
import { startService } from "../support/service.ts";
import { pinAnswer } from "../support/questions.ts";

const said = "Take Rye, or {{ spelt }}; never file://wheat.\n=1+1";
const pinned = "With the Oven at 250, as = says.";

/** Tests of the text, some of which pass, and one whose outcome alone is not as expected. */
const tests: TestCase[] = [
  { question: "Which flour?", expect: { contains: ["Rye"] } },
  { question: "Which flour then?", expect: { contains: ["rye"] } },
  { question: "Which flour at last?", expect: { icontains: ["rye", "SPELT"] } },
  { question: "And without a comma?", expect: { contains: ["Rye, or", "; never"] } },
  { question: "And either?", expect: { contains_any: ["barley", "Rye, or"] } },
  { question: "And neither?", expect: { contains_any: ["barley", 'a "quote", as it is'] } },
  { question: "No barley?", expect: { not_contains: ["barley", "oats"] } },
  { question: "No rye?", expect: { not_contains: ["barley", "Rye"] } },
  { question: "Is {{ question }} a template?", expect: { contains: ["{{ spelt }}", "=1+1"] } },
  { question: "{% raw %}", expect: { contains: ["{{spelt}}"] } },
  { question: "file://bread.txt", expect: { contains: ["file://wheat"], not_contains: ["file://rye"] } },
  { question: "=1+1", expect: { contains: ["wheat.\n="] } },
  { question: "[1, 2]", expect: { contains: ["Rye"] } },
  { question: "javascript: output.length > 0", expect: { contains: ["javascript:"] } },
  {
    question: "And then?",
    history: [{ role: "user", content: "Hi {{ x }}" }, { role: "assistant", content: "Hello" }],
    expect: { contains: ["Rye"] },
  },
  { question: "How hot?", expect: { contains: ["Oven", "= says"] } },
  { question: "how HOT", expect: { outcome: "pinned", contains: ["oven"] } },
  { question: "How long?", expect: { outcome: "pinned", contains: ["Rye"] } },
];

/** The conversations that a model was sent, each as JSON. */
function conversationsOf(bodies: ModelBody[]): string[] {
  return bodies.map(({ input }) => JSON.stringify(input));
}

Deno.test("promptfoo reads the file that is written, and agrees with the service", async (t) => {
  await using service = await startService();
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const tenant = await createTenant({ scopes: ["chat", "expert"], requests_per_minute: 10_000 });
  const { accountId: account_id, coachId: coach_id } = tenant;
  service.model.script(tenant.modelName, { steps: [{ text: said }] });
  await pinAnswer({ accountId: account_id, coachId: coach_id }, { question: "How hot?", answer: pinned });
  const invented = inventTests(15, 8).map(({ question, history = [], expect = {} }) => ({
    question: `Q: ${question}`,
    history,
    expect: { contains_any: expect.contains_any ?? ["Rye"], not_contains: expect.not_contains ?? ["Oats"] },
  }));
  const all = [...tests, ...invented];
  await operator.rpc("import_tests", { coach: coach_id, tests: all as never }).throwOnError();
  const client = clientOf(service, tenant);
  const ids = (await client.listTests(coach_id)).data.map(({ id }) => id).reverse();

  let run = await client.startTestRun(coach_id, {});
  await eventually(
    async () => {
      await sweep(service);
      run = await client.getTestRun(coach_id, run.id);
      return run.status === "done";
    },
    "the run is done",
    120,
  );
  const ours = ids.map((id) => run.results.find(({ test_id }) => test_id === id)!);
  const askedByUs = conversationsOf(bodiesOf(service, tenant.modelName));

  const page = await Deno.readTextFile(join(projectRoot, "supabase/docs/test_files.md"));
  const [, config = ""] = /```yaml\n(prompts:[\s\S]*?)```/.exec(page) ?? [];
  await Deno.writeTextFile(
    join(folder, "promptfooconfig.yaml"),
    config.replace(/https:.*$/m, openaiUrl(service)).replace("demo-coach", coach_id),
  );
  await Deno.writeTextFile(join(folder, "tests.csv"), `\ufeff${writePromptfooCsv(all)}`);
  const results = (await runPromptfoo(folder, tenant.apiKey)).toSorted((one, other) => one.testIdx - other.testIdx);

  await t.step("it gets the same answer to every question", () => {
    assertEquals(results.map(({ response }) => response?.output), ours.map(({ text }) => text));
  });
  await t.step("it asks the same questions, with the same messages before them", () => {
    const askedByPromptfoo = conversationsOf(bodiesOf(service, tenant.modelName).slice(askedByUs.length));
    assertEquals(askedByPromptfoo.toSorted(), askedByUs.toSorted());
  });
  await t.step("its verdicts are those of the service, except on what is not of the text", () => {
    const wrong = results.filter(({ success }, index) => success !== (ours[index]!.verdict === "passed"));
    assertEquals(wrong.map(({ testIdx }) => all[testIdx]!.question), ["How long?"]);
    assert(results.some(({ success }) => !success));
  });
});
