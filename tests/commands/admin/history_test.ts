import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { createTenant, createUser, operator } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { runAdmin } from "./run_admin.ts";

Deno.test("npm run admin -- coach history and restore", async (t) => {
  const user = await createUser();
  const { coachId } = await createTenant({}, { title: "Teacher", owner_id: user.id });
  const other = await createTenant();
  await operator.from("coach_profiles").update({ title: "Countess", temperature: 0.5 }).eq("id", coachId)
    .throwOnError();
  const coach = async () =>
    (await operator.from("coach_profiles").select("title,temperature,version").eq("id", coachId).single()
      .throwOnError())
      .data;

  await t.step("history shows each version, newest first, with what was changed", async () => {
    const { code, said } = await runAdmin(["coach", "history", coachId]);
    assertEquals(code, 0);
    const [headings, second, first, ...rest] = said.split("\n");
    assertMatch(headings!, /^version +published +by +restored from +changes$/);
    assertMatch(second!, /^ +2 +\S+Z +- +- +title, temperature$/);
    assertMatch(first!, /^ +1 +\S+Z +- +- +-$/);
    assertEquals(rest, []);
  });
  await t.step("update from a file is a version, too", async () => {
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(`${folder}/ada.md`, "---\nname: Ada\ntitle: Weaver\n---\nExplain with looms.");
      assertEquals((await runAdmin(["coach", "update", coachId, "ada.md"], { folder })).code, 0);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
    const [{ version, changes }] = (await runAdmin(["coach", "history", coachId, "--json"])).json();
    assertEquals([version, changes], [3, ["name", "title", "instructions", "model", "temperature"]]);
  });
  await t.step("restore brings the persona back, and no other setting", async () => {
    const run = await runAdmin(["coach", "restore", coachId, "1"]);
    assertEquals([run.code, run.said], [0, "Version 4 has the persona of version 1 again: name, title, instructions."]);
    assertEquals(await coach(), { title: "Teacher", temperature: null, version: 4 });
    const [{ restored_from }] = (await runAdmin(["coach", "history", coachId, "--json"])).json();
    assertEquals(restored_from, 1);
  });
  await t.step("what cannot be restored is refused, and nothing has changed", async () => {
    for (
      const [args, sentence] of [
        [[coachId, "1"], "The coach is the same as in this version"],
        [[coachId, "9"], "There is no such version of a coach with this id"],
        [["nobody", "1"], "There is no such version of a coach with this id"],
        [[coachId, "0"], "is not a whole number from 1"],
        [[coachId, "first"], "is not a whole number from 1"],
      ] as const
    ) {
      const run = await runAdmin(["coach", "restore", ...args]);
      assert(run.code !== 0 && run.noted.includes(sentence), run.noted);
    }
    assertEquals(
      (await runAdmin(["coach", "history", "nobody"])).noted.split("\n").at(-1),
      sentenceOf("coach_not_found"),
    );
    assertEquals((await coach())?.version, 4);
    const { data } = await operator.from("coach_versions").select("version").eq("coach_id", other.coachId)
      .throwOnError();
    assertEquals(data.length, 1);
  });
});
