import { assert, assertEquals, assertMatch } from "../../support/assert.ts";
import { ownerOf, rolesOf } from "../../support/invitations.ts";
import { createCoach, createTenant, createUser, operator } from "../../support/project.ts";
import { sentenceOf } from "../../support/refusals.ts";
import { runAdmin } from "./run_admin.ts";

const unknownId = "00000000-0000-4000-8000-00000000dead";

Deno.test("npm run admin -- expert", async (t) => {
  const [owner, colleague] = [await createUser(), await createUser()];
  const tenant = await createTenant({}, { owner_id: owner.id });
  const other = await createTenant();
  const ofCoach = ["--coach", tenant.coachId];
  const listed = (run: { json: () => Record<string, unknown>[] }) =>
    run.json().map(({ user_id, role }) => [user_id, role]);
  const first = [owner.id, "owner"];
  const refused = async (code: number, sentence: string, ...args: string[]) => {
    const run = await runAdmin(["expert", ...args]);
    assertEquals([run.code, run.said], [code, ""]);
    assert(run.noted.includes(sentence), run.noted);
  };

  await t.step("list shows who is an expert of a coach", async () => {
    assertEquals(listed(await runAdmin(["expert", "list", ...ofCoach, "--json"])), [first]);
    const { said } = await runAdmin(["expert", "list", ...ofCoach]);
    assertMatch(said, new RegExp(`^role +email +since +user\nowner +\\S+ +\\S+Z +${owner.id}$`));
    const none = await runAdmin(["expert", "list", "--coach", other.coachId]);
    assertEquals([none.code, none.said, none.noted], [0, "", "This coach has no experts yet."]);
    await refused(1, sentenceOf("coach_not_found"), "list", "--coach", "nobody");
  });

  await t.step("add makes an answerer unless another role is given, and changes the role", async () => {
    const add = (...args: string[]) => runAdmin(["expert", "add", colleague.id, ...ofCoach, ...args, "--json"]);
    assertEquals(listed(await add()), [first, [colleague.id, "answerer"]]);
    assertEquals(listed(await add("--role", "editor")), [first, [colleague.id, "editor"]]);
    await refused(1, "This project has no user with this ID.", "add", unknownId, ...ofCoach);
    await refused(1, sentenceOf("coach_not_found"), "add", colleague.id, "--coach", "nobody");
    await refused(2, "--role is not owner, editor or answerer", "add", colleague.id, ...ofCoach, "--role", "king");
    assertEquals(await rolesOf(tenant.coachId), { [owner.id]: "owner", [colleague.id]: "editor" });
  });

  await t.step("coach show has the experts", async () => {
    const { experts, owner_id } = (await runAdmin(["coach", "show", tenant.coachId, "--json"])).json();
    assertEquals([owner_id, experts.length, experts[1].role], [owner.id, 2, "editor"]);
    const { said } = await runAdmin(["coach", "show", tenant.coachId]);
    assertMatch(said, new RegExp(`\n\nrole +email +since +user\nowner .*\neditor .*${colleague.id}\n\nExplain`));
  });

  await t.step("remove takes one away, also the last owner, and says so", async () => {
    const remove = (...args: string[]) => runAdmin(["expert", "remove", ...args, ...ofCoach]);
    assertEquals((await remove(owner.id)).noted.split("\n").at(-1), "This coach has no owner any more.");
    assertEquals([await ownerOf(tenant.coachId), await rolesOf(tenant.coachId)], [null, { [colleague.id]: "editor" }]);
    assertEquals((await remove(colleague.id)).said, "");
    await refused(1, "This user is not an expert of the coach", "remove", colleague.id, ...ofCoach);
  });

  await t.step("invite shows a token, which is not stored", async () => {
    const ofAccount = ["--account", tenant.accountId];
    const made = (await runAdmin(["expert", "invite", ...ofAccount, "--json"])).json();
    assertMatch(made.token, /^hi_inv_[0-9A-Za-z]{40}$/);
    assertEquals([made.role, made.email], ["owner", null]);
    const run = await runAdmin([
      ...["expert", "invite", ...ofAccount, ...ofCoach],
      ...["--role", "editor", "--email", "jon@example.com"],
    ]);
    assertMatch(
      run.said,
      /^invitation +\S+\nrole +editor\ncoach +\S+\nemail +jon@example\.com\nexpires +\S+Z\ntoken +hi_inv_\w+$/,
    );
    assert(!run.noted.includes("hi_inv_"), run.noted);
    const linked = await runAdmin(["expert", "invite", ...ofAccount, "--desk", "https://www.example.com/desk/"]);
    assertMatch(linked.said, /\nlink +https:\/\/www\.example\.com\/desk\/#invitation=hi_inv_\w{40}$/);
    await refused(2, "--desk is not the address of a desk", "invite", ...ofAccount, "--desk", "desk");
    await refused(2, "--role must be owner where --coach is missing", "invite", ...ofAccount, "--role", "editor");
    await refused(2, "--email is not an email address", "invite", ...ofAccount, "--email", "jon");
    await refused(1, "Account not found", "invite", "--account", unknownId);
    await refused(1, sentenceOf("coach_not_found"), "invite", ...ofAccount, "--coach", other.coachId);
  });

  await t.step("--owner of a coach makes an owner, in place of the one before", async () => {
    const coach = await createCoach(tenant.accountId, { owner_id: owner.id });
    await operator.from("coach_profiles").update({ owner_id: colleague.id }).eq("id", coach.id).throwOnError();
    assertEquals(await rolesOf(coach.id), { [colleague.id]: "owner" });
  });
});
