import { assertEquals, assertRejects } from "../support/assert.ts";
import { clientOf } from "../support/client.ts";
import { createTenant } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("tests of a persona are searched by the words of their questions", async (t) => {
  await using service = await startService();
  const [tenant, other] = await Promise.all([1, 2].map(() => createTenant({ scopes: ["expert"] })));
  const client = clientOf(service, tenant!);
  const questions = ["Do owls sleep?", "Do 100% of OWLS hunt?", "What is an engine?"];
  for (const question of questions) {
    await client.createTest(tenant!.coachId, { question, expect: { contains: ["engine"] } });
  }
  await clientOf(service, other!).createTest(other!.coachId, { question: "Do owls swim?" });
  const found = async (search: string) =>
    (await client.listTests(tenant!.coachId, { search })).data.map(({ question }) => question);

  await t.step("all words or parts of them, in upper or lower case, newest first", async () => {
    assertEquals(await found("OWL"), ["Do 100% of OWLS hunt?", "Do owls sleep?"]);
    assertEquals(await found("sleep  owl"), ["Do owls sleep?"]);
    assertEquals(await found("%"), ["Do 100% of OWLS hunt?"]);
    assertEquals(await found("engine"), ["What is an engine?"]);
    assertEquals(await found("whale"), []);
    assertEquals(await found(" "), questions.toReversed());
  });

  await t.step("page by page", async () => {
    const first = await client.listTests(tenant!.coachId, { search: "owl", limit: 1 });
    const second = await client.listTests(tenant!.coachId, { search: "owl", limit: 1, cursor: first.next_cursor! });
    assertEquals([first.data[0]!.question, second.data[0]!.question], ["Do 100% of OWLS hunt?", "Do owls sleep?"]);
    assertEquals(second.next_cursor, null);
  });

  await t.step("a test that no run had has no verdict", async () => {
    const { data } = await client.listTests(tenant!.coachId, {});
    assertEquals(data.map(({ last_verdict }) => last_verdict), [null, null, null]);
  });

  await t.step("text that cannot be stored is refused", async () => {
    await assertRejects(() => client.listTests(tenant!.coachId, { search: "a\0b" }), Error, "NUL");
  });
});
