import { assertEquals } from "../support/assert.ts";
import { ask, assertInvalid, assertRefused, assertReply, clientOf } from "../support/client.ts";
import { addExpert, allScopes, createCoach, createTenant, createUser, operator } from "../support/project.ts";
import { startService } from "../support/service.ts";

Deno.test("saved replies", async (t) => {
  await using service = await startService();
  const [owner, colleague, stranger] = await Promise.all([1, 2, 3].map(() => createUser()));
  const limits = { requests_per_minute: 10_000, requests_per_hour: 10_000, scopes: allScopes };
  const tenant = await createTenant(limits, { owner_id: owner!.id });
  await addExpert(tenant.coachId, colleague!, "answerer");
  const as = (user: { accessToken: string }) => ({ apiKey: tenant.apiKey, accessToken: user.accessToken });
  const { coachId } = tenant;
  const path = `/coaches/${coachId}/replies`;
  const jon = clientOf(service, as(colleague!));
  const list = async () => (await clientOf(service, as(owner!)).listReplies(coachId)).data;
  let id = "";

  await t.step("one saves it, the other finds it, and changes it", async () => {
    const saved = await jon.createReply(coachId, { name: " Thanks ", content: "Thank you,\n  for asking." });
    id = saved.id;
    assertEquals([saved.name, saved.content], ["Thanks", "Thank you,\n  for asking."]);
    assertEquals(await list(), [saved]);
    await clientOf(service, as(owner!)).updateReply(coachId, id, { name: "Thank you" });
    assertEquals((await list()).map(({ name, content }) => [name, content]), [["Thank you", saved.content]]);
    assertEquals((await jon.updateReply(coachId, id, { content: "Thanks!" })).name, "Thank you");
  });
  await t.step("page by page, in the order in which they were saved", async () => {
    const second = await jon.createReply(coachId, { name: "Later", content: "I come back to you." });
    const first = await jon.listReplies(coachId, { limit: 1 });
    assertEquals(first.data.map((reply) => reply.id), [id]);
    const rest = await jon.listReplies(coachId, { limit: 1, cursor: first.next_cursor! });
    assertEquals([rest.data.map((reply) => reply.id), rest.next_cursor], [[second.id], null]);
    assertEquals(await jon.deleteReply(coachId, second.id), {
      message: "Reply deleted successfully",
      replyId: second.id,
    });
  });
  await t.step("another coach, its experts and strangers do not reach them", async () => {
    const before = await list();
    const other = await createCoach(tenant.accountId, { owner_id: stranger!.id });
    assertEquals((await clientOf(service, as(stranger!)).listReplies(other.id)).data, []);
    for (
      const [method, where] of [["PATCH", `/coaches/${other.id}/replies/${id}`], [
        "DELETE",
        `/coaches/${other.id}/replies/${id}`,
      ]] as const
    ) {
      const body = method === "PATCH" ? { name: "Mine" } : undefined;
      assertRefused(await ask(service, method, where, as(stranger!), body), "reply_not_found");
      assertRefused(await ask(service, method, `${path}/${id}`, as(stranger!), body), "not_the_expert");
      assertRefused(await ask(service, method, `${path}/x`, as(owner!), body), "reply_not_found");
    }
    assertRefused(await ask(service, "GET", path, as(stranger!)), "not_the_expert");
    assertRefused(await ask(service, "GET", path, await createTenant(limits)), "coach_not_found");
    assertEquals(await list(), before);
  });
  await t.step("what is none is refused, and there is an end to them", async () => {
    const send = (body: object) => ask(service, "POST", path, as(owner!), body);
    assertInvalid(await send({ name: "x".repeat(81), content: "C" }), "name must be one line of 1 to 80 characters");
    assertReply(await send({ name: "N", content: " " }), 400);
    assertReply(await send({ name: "N", content: "x".repeat(8_001) }), 400);
    await Promise.all(
      Array.from({ length: 199 }, (_, number) => jon.createReply(coachId, { name: `${number}`, content: "C" })),
    );
    assertRefused(await send({ name: "N", content: "C" }), "too_many_replies");
  });
  await t.step("they go with the coach", async () => {
    await operator.from("coach_profiles").delete().eq("id", coachId).throwOnError();
    assertRefused(await ask(service, "GET", path, as(owner!)), "coach_not_found");
  });
});
