import { assertEquals, assertMatch } from "../support/assert.ts";
import { ask, clientOf } from "../support/client.ts";
import { bodiesOf } from "../support/model_requests.ts";
import { finishRun, runTests } from "../support/persona_tests.ts";
import { createTenant, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

const key = { requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: ["chat", "threads:write", "expert"] };
const usage = { input_tokens: 100, output_tokens: 10 };
const end = { end: true as const, usage };

Deno.test("a question is tried on the draft, beside what is published", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(key);
  const { coachId, modelName } = tenant;
  const client = clientOf(service, tenant);
  const instructionsGiven = () => {
    const asked = JSON.stringify(bodiesOf(service, modelName).at(-1));
    return ["Explain with engines.", "Explain with looms."].filter((text) => asked.includes(text));
  };
  const attempt = async (draft?: boolean | null) => {
    service.model.script(modelName, { steps: [{ text: "So." }, end] });
    const { answer } = await client.tryQuestion(coachId, { question: "Why?", answer: true, draft });
    assertEquals(answer?.text, "So.");
    return instructionsGiven();
  };

  await t.step("without a draft, it is what is published", async () => {
    assertEquals(await attempt(true), ["Explain with engines."]);
  });
  await client.saveDraft(coachId, { instructions: "Explain with looms.", name: "Augusta" });
  await t.step("with one, each gets what it asks for", async () => {
    assertEquals(await attempt(true), ["Explain with looms."]);
    assertMatch(JSON.stringify(bodiesOf(service, modelName).at(-1)), /Augusta/);
    assertEquals(await attempt(false), ["Explain with engines."]);
    assertEquals(await attempt(null), ["Explain with engines."]);
    assertEquals(await attempt(), ["Explain with engines."]);
  });
  await t.step("people are answered by what is published", async () => {
    const answer = await client.chat({ message: "Why?", context: { coachId } });
    for await (const _ of answer) { /* To its end. */ }
    assertEquals(instructionsGiven(), ["Explain with engines."]);
  });
  await t.step("not by true or false → 400", async () => {
    const body = { question: "Why?", draft: "yes" };
    const { status, json } = await ask(service, "POST", `/coaches/${coachId}/try`, tenant, body);
    assertEquals([status, json.error], [400, "draft must be true or false"]);
  });
});

Deno.test("tests run on the draft", async (t) => {
  await using service = await startService();
  const tenant = await createTenant(key);
  const { coachId, modelName } = tenant;
  const client = clientOf(service, tenant);
  const test = await client.createTest(coachId, { question: "Why?", expect: { contains: ["engine"] } });
  const say = (text: string) => service.model.script(modelName, { steps: [{ text }, end] });
  const run = async (text: string, draft: boolean) => {
    say(text);
    return await runTests(service, tenant, { draft });
  };
  const lastVerdict = async () => (await client.listTests(coachId)).data[0]?.last_verdict;
  const first = await run("The engine turns.", false);
  assertEquals([first.is_draft, first.results[0]?.verdict], [false, "passed"]);

  await t.step("what the draft would break, compared with what is published", async () => {
    await client.saveDraft(coachId, { instructions: "Explain with looms." });
    const broken = await run("The loom weaves.", true);
    assertEquals([broken.is_draft, broken.coach_version, broken.newly_failing], [true, 1, [test.id]]);
    assertEquals(broken.results[0]?.compared?.run_id, first.id);
    assertMatch(JSON.stringify(bodiesOf(service, modelName).at(-1)), /Explain with looms\./);
    assertEquals(await lastVerdict(), "passed");
  });
  await t.step("a second run of the draft compares itself with the same", async () => {
    const again = await run("The loom weaves.", true);
    assertEquals([again.newly_failing, again.results[0]?.compared?.run_id], [[test.id], first.id]);
  });
  await t.step("so does the next run of what is published", async () => {
    const next = await run("The engine turns.", false);
    assertEquals([next.newly_failing, next.newly_passing, next.results[0]?.compared?.run_id], [[], [], first.id]);
    assertMatch(JSON.stringify(bodiesOf(service, modelName).at(-1)), /Explain with engines\./);
    const { data } = await client.listTestRuns(coachId);
    assertEquals(data.map(({ is_draft }) => is_draft), [false, true, true, false]);
  });
  await t.step("a run keeps the draft that there was when it was started", async () => {
    say("The engine turns.");
    const started = await client.startTestRun(coachId, { draft: true });
    await client.saveDraft(coachId, { instructions: "Explain with clocks." });
    await client.deleteDraft(coachId);
    await operator.from("coach_profiles").update({ instructions: "Explain with mills." }).eq("id", coachId)
      .throwOnError();
    const done = await finishRun(service, tenant, started.id);
    assertEquals([done.status, done.is_draft, done.coach_version], ["done", true, 1]);
    const asked = JSON.stringify(bodiesOf(service, modelName).at(-1));
    assertMatch(asked, /Explain with looms\./);
  });
  await t.step("without a draft, it is a run of what is published that counts as one of the draft", async () => {
    const done = await run("The mill turns.", true);
    assertEquals([done.is_draft, done.results[0]?.verdict], [true, "failed"]);
    assertMatch(JSON.stringify(bodiesOf(service, modelName).at(-1)), /Explain with mills\./);
  });
});
