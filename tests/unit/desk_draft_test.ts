import { ServiceError } from "../../shared/clients/client/service_error.ts";
import { type TextClient, TextDraft } from "../../shared/clients/page/desk/files/text_draft.ts";
import { type DraftClient, PersonaDraft } from "../../shared/clients/page/desk/persona/persona_draft.ts";
import type { Draft, PersonaFields, Version } from "../../shared/clients/page/desk/persona/fields.ts";
import { drafts } from "../../shared/clients/page/desk/state/drafts.ts";
import { assertEquals } from "../support/assert.ts";
import { sentenceOf } from "../support/refusals.ts";

const persona: PersonaFields = {
  name: "Ada Byron",
  title: "Engines",
  greeting: "Hello.",
  starters: ["What is an engine?"],
  instructions: "Explain with engines.",
  no_answer: null,
  takeover_notice: null,
  language: "english",
};

const colleague = { user_id: crypto.randomUUID(), name: null, email: "ben@example.com" };

/** A service with one persona, which keeps its draft as the real one does. */
class FakeService {
  versions: PersonaFields[] = [persona];
  fields: Partial<PersonaFields> | null = null;
  revision = 0;
  bodies: Partial<PersonaFields>[] = [];
  /** Thrown by the next request that saves. */
  failure: Error | null = null;

  get client(): DraftClient {
    return {
      getDraft: () => Promise.resolve(this.#draft()),
      saveDraft: (_: string, { if_version, if_revision, ...fields }: Record<string, unknown>) => {
        const { failure } = this;
        this.failure = null;
        if (failure !== null) return Promise.reject(failure);
        if (if_version !== this.versions.length) return Promise.reject(refusal("version_changed"));
        if (if_revision !== this.#revision) return Promise.reject(refusal("draft_changed"));
        this.bodies.push(fields);
        return Promise.resolve(this.save(fields));
      },
      deleteDraft: () => Promise.resolve(this.fields = null),
      getVersion: (_: string, version: number) => Promise.resolve(this.#version(version)),
      publish: (_: string, { if_version, if_revision }: Record<string, unknown>) => {
        if (if_version !== this.versions.length) return Promise.reject(refusal("version_changed"));
        if (if_revision !== this.#revision) return Promise.reject(refusal("draft_changed"));
        this.publish({ ...this.versions.at(-1)!, ...this.fields });
        return Promise.resolve(this.#version(this.versions.length));
      },
    } as unknown as DraftClient;
  }

  save(fields: Partial<PersonaFields>): Draft {
    this.fields = fields;
    this.revision++;
    return this.#draft();
  }
  publish(fields: PersonaFields): void {
    this.versions.push(fields);
    this.fields = null;
  }

  get #revision(): number {
    return this.fields === null ? 0 : this.revision;
  }
  #draft(): Draft {
    return {
      ...this.versions.at(-1)!,
      ...this.fields,
      picture_url: null,
      version: this.versions.length,
      based_on: this.versions.length,
      revision: this.#revision,
      saved_at: null,
      saved_by: this.fields === null ? null : colleague,
      changes: [],
    };
  }
  #version(version: number): Version {
    return {
      ...this.versions[version - 1]!,
      picture_url: null,
      version,
      published_at: "2026-01-01T00:00:00.000Z",
      published_by: colleague,
      changes: ["greeting"],
      restored_from: null,
    };
  }
}

const refusal = (code: string) => new ServiceError({ status: 409, code, body: { error: "No" }, requestId: null });

async function open(service: FakeService, coachId: string = crypto.randomUUID()): Promise<PersonaDraft> {
  const draft = new PersonaDraft(service.client, coachId);
  draft.enter();
  await draft.load();
  return draft;
}

Deno.test("a draft is saved with what differs from what is published", async () => {
  const service = new FakeService();
  const draft = await open(service);
  assertEquals([draft.changes, draft.saving, draft.unsaved], [[], "saved", []]);
  draft.set("greeting", "Welcome. ");
  draft.set("starters", ["What is an engine?", " "]);
  assertEquals([draft.saving, draft.unsaved, draft.changes], ["waiting", ["greeting"], ["greeting"]]);
  assertEquals(await draft.save(), true);
  assertEquals([service.bodies, draft.saving], [[{ greeting: "Welcome." }], "saved"]);
  // The form keeps what was typed, and nothing is saved twice.
  assertEquals(draft.shown!.greeting, "Welcome. ");
  await draft.save();
  assertEquals(service.bodies.length, 1);
  draft.set("greeting", "Hello.");
  await draft.save();
  assertEquals([service.bodies[1], draft.changes, draft.meanwhile], [{}, [], null]);
});

Deno.test("a sentence that is left empty is none, and a persona keeps its name until it has another one", async () => {
  const service = new FakeService();
  const draft = await open(service);
  draft.set("greeting", " ");
  draft.set("name", "");
  assertEquals([draft.missing, await draft.save()], [["name"], false]);
  assertEquals(service.bodies, [{ greeting: null }]);
  draft.set("name", "Grace");
  assertEquals([draft.missing, await draft.save()], [[], true]);
  assertEquals(service.bodies[1], { name: "Grace", greeting: null });
});

Deno.test("what a colleague changes elsewhere is taken over, and both are saved", async () => {
  const service = new FakeService();
  const draft = await open(service);
  draft.set("greeting", "Welcome.");
  service.save({ title: "Looms" });
  assertEquals(await draft.save(), true);
  assertEquals(service.fields, { title: "Looms", greeting: "Welcome." });
  assertEquals([draft.shown!.title, draft.conflicts], ["Looms", {}]);
  assertEquals(draft.meanwhile, { version: null, by: colleague.email, fields: ["title"] });
  draft.acknowledge();
  assertEquals(draft.meanwhile, null);
});

Deno.test("where both have changed the same, the expert chooses; the rest is saved meanwhile", async (t) => {
  for (const whose of ["theirs", "mine"] as const) {
    await t.step(whose, async () => {
      const service = new FakeService();
      const draft = await open(service);
      draft.set("greeting", "Mine.");
      draft.set("title", "Looms");
      service.save({ greeting: "Theirs." });
      assertEquals(await draft.save(), false);
      assertEquals([draft.conflicts, draft.shown!.greeting], [{ greeting: "Theirs." }, "Mine."]);
      assertEquals(service.fields, { greeting: "Theirs.", title: "Looms" });
      // What is typed while the conflict is open does not settle it.
      draft.set("greeting", "Mine, indeed.");
      await draft.save();
      assertEquals([service.fields, draft.conflicts], [{ greeting: "Theirs.", title: "Looms" }, {
        greeting: "Theirs.",
      }]);
      draft.settle("greeting", whose);
      assertEquals(await draft.save(), true);
      const greeting = whose === "theirs" ? "Theirs." : "Mine, indeed.";
      assertEquals([service.fields, draft.shown!.greeting], [{ greeting, title: "Looms" }, greeting]);
      assertEquals([draft.conflicts, draft.meanwhile], [{}, null]);
    });
  }
});

Deno.test("what a colleague publishes meanwhile is a conflict only where both have changed it", async () => {
  const service = new FakeService();
  const draft = await open(service);
  draft.set("greeting", "Mine.");
  draft.set("title", "Looms");
  service.publish({ ...persona, greeting: "Published.", name: "Ada King" });
  assertEquals(await draft.save(), false);
  assertEquals(draft.meanwhile, { version: 2, by: colleague.email, fields: ["name", "greeting"] });
  assertEquals([draft.conflicts, draft.shown!.name, draft.shown!.title], [
    { greeting: "Published." },
    "Ada King",
    "Looms",
  ]);
  assertEquals(service.fields, { title: "Looms" });
  draft.settle("greeting", "mine");
  await draft.save();
  assertEquals([service.fields, draft.changes], [{ title: "Looms", greeting: "Mine." }, ["title", "greeting"]]);
});

Deno.test("what could not be saved is kept in the tab, and saved when the desk is opened again", async (t) => {
  const service = new FakeService();
  const coachId = crypto.randomUUID();
  await t.step("offline", async () => {
    const draft = await open(service, coachId);
    service.failure = new TypeError("Failed to fetch");
    draft.set("greeting", "Mine.");
    assertEquals([await draft.save(), draft.saving, draft.shown!.greeting], [false, "failed", "Mine."]);
    assertEquals(service.fields, null);
    draft.set("greeting", "Mine, too.");
    service.failure = new ServiceError({
      ...{ status: 401, code: null, requestId: null },
      body: { error: sentenceOf("invalid_access_token") },
    });
    await draft.save();
    assertEquals([draft.saving, service.fields], ["failed", null]);
  });
  await t.step("and again, after a colleague has changed the same", async () => {
    service.save({ greeting: "Theirs.", title: "Looms" });
    const draft = await open(service, coachId);
    assertEquals([draft.shown!.greeting, draft.shown!.title, draft.conflicts], ["Mine, too.", "Looms", {
      greeting: "Theirs.",
    }]);
    draft.settle("greeting", "mine");
    assertEquals(await draft.save(), true);
    assertEquals(service.fields, { greeting: "Mine, too.", title: "Looms" });
    assertEquals(drafts.read(`persona ${coachId}`), {});
  });
});

Deno.test("a failure that is over is said no longer, also while a conflict is open", async () => {
  const service = new FakeService();
  const draft = await open(service);
  service.failure = new TypeError("Failed to fetch");
  draft.set("greeting", "Mine.");
  await draft.save();
  assertEquals([draft.saving, draft.isAtRisk], ["failed", true]);
  service.save({ greeting: "Theirs." });
  await draft.load();
  assertEquals([draft.saveError, draft.conflicts, draft.isAtRisk], [null, { greeting: "Theirs." }, true]);
  draft.settle("greeting", "theirs");
  assertEquals([draft.saving, draft.isAtRisk], ["saved", false]);
  draft.set("greeting", "Mine again.");
  assertEquals([draft.saving, draft.isAtRisk], ["waiting", true]);
  assertEquals([await draft.save(), draft.isAtRisk], [true, false]);
});

Deno.test("only what the expert has seen is published", async () => {
  const service = new FakeService();
  const draft = await open(service);
  draft.set("greeting", "Welcome.");
  await draft.save();
  service.save({ greeting: "Welcome.", title: "Looms" });
  let code: string | null = null;
  await draft.publish().catch((error) => code = (error as ServiceError).code);
  assertEquals([code, service.versions.length, draft.shown!.title], ["draft_changed", 1, "Looms"]);
  assertEquals(await draft.publish(), 2);
  assertEquals([draft.changes, draft.published!.greeting, draft.meanwhile], [[], "Welcome.", null]);
});

Deno.test("what is typed while something is saved is saved afterwards", async () => {
  const service = new FakeService();
  const draft = await open(service);
  draft.set("greeting", "W");
  const saving = draft.save();
  draft.set("greeting", "Welcome.");
  assertEquals(await saving, true);
  assertEquals(service.fields, { greeting: "Welcome." });
  assertEquals([draft.conflicts, draft.meanwhile], [{}, null]);
});

/** A service with one text, which keeps it as the real one does. */
class FakeTexts {
  bodies: unknown[] = [];
  text: { title: string; content: string; version: number } | null = null;
  /** What becomes of the next request: it is refused, or only its reply is lost. */
  next: "refused" | "lost" | null = null;

  get client(): TextClient {
    const reply = () => ({ fileId: "1", saved_at: "2026-01-01T00:00:00.000Z", saved_by: null, ...this.text! });
    const answer = () => {
      const { next } = this;
      this.next = null;
      return next === "lost" ? Promise.reject(new TypeError("Failed to fetch")) : Promise.resolve(reply());
    };
    return {
      getText: () => Promise.resolve(reply()),
      createText: (_: string, { title, content }: { title: string; content: string }) => {
        this.bodies.push({ title, content });
        if (this.next === "refused") {
          this.next = null;
          return Promise.reject(refusal("file_exists"));
        }
        if (this.text !== null && this.text.content !== content) throw new Error("There would be two texts");
        this.text ??= { title, content, version: 1 };
        return answer();
      },
      saveText: (_: string, _id: string, { if_version, title, content }: Record<string, unknown>) => {
        this.bodies.push({ title, content, if_version });
        if (if_version !== this.text!.version) return Promise.reject(refusal("text_changed"));
        this.text = { title: String(title), content: String(content), version: this.text!.version + 1 };
        return answer();
      },
    } as unknown as TextClient;
  }
}

/** Writes into a draft, and saves it. */
async function write(draft: TextDraft, fields: { title?: string; content?: string }): Promise<boolean> {
  if (fields.title !== undefined) draft.set("title", fields.title);
  if (fields.content !== undefined) draft.set("content", fields.content);
  return await draft.save();
}

Deno.test("a new text is stored when it has title and content, and only once", async (t) => {
  await t.step("until then it is in the tab, and goes on from there", async () => {
    const service = new FakeTexts();
    const coachId = crypto.randomUUID();
    assertEquals(await write(new TextDraft(service.client, coachId, null), { content: "Bring berries." }), false);
    const draft = new TextDraft(service.client, coachId, null);
    assertEquals([draft.shown!.content, draft.isAtRisk, draft.missing, service.bodies], [
      "Bring berries.",
      true,
      ["title"],
      [],
    ]);
    const stored: string[] = [];
    draft.onStored = (fileId) => stored.push(fileId);
    assertEquals(await write(draft, { title: " Before a visit " }), true);
    assertEquals([service.bodies, stored, draft.fileId, draft.isAtRisk, draft.shown!.title], [
      [{ title: "Before a visit", content: "Bring berries." }],
      ["1"],
      "1",
      false,
      " Before a visit ",
    ]);
    assertEquals(new TextDraft(service.client, coachId, null).shown, { title: "", content: "" });
    await write(draft, { content: "Bring plums." });
    assertEquals(service.bodies.at(-1), { title: "Before a visit", content: "Bring plums.", if_version: 1 });
  });
  await t.step("also if the reply was lost, and something was written since", async () => {
    const service = new FakeTexts();
    const draft = new TextDraft(service.client, crypto.randomUUID(), null);
    service.next = "lost";
    assertEquals(await write(draft, { title: "A", content: "One" }), false);
    assertEquals([await write(draft, { content: "Two" }), service.text], [
      true,
      { title: "A", content: "Two", version: 2 },
    ]);
  });
  await t.step("one that was refused is sent as it is now", async () => {
    const service = new FakeTexts();
    const draft = new TextDraft(service.client, crypto.randomUUID(), null);
    service.next = "refused";
    assertEquals([await write(draft, { title: "A", content: "One" }), draft.saving], [false, "failed"]);
    assertEquals([await write(draft, { content: "Two" }), service.text?.content], [true, "Two"]);
  });
});

Deno.test("of a text that is stored, what is empty or too long is not, and a colleague's words are not lost", async () => {
  const service = new FakeTexts();
  service.text = { title: "A", content: "One", version: 1 };
  const draft = new TextDraft(service.client, crypto.randomUUID(), "1");
  await draft.load();
  assertEquals([await write(draft, { title: "B", content: " " }), service.text.title, service.text.content], [
    false,
    "B",
    "One",
  ]);
  assertEquals([await write(draft, { content: "x".repeat(200_001) }), draft.isAtRisk], [false, true]);
  assertEquals(await write(draft, { content: "Mine" }), true);
  service.text = { title: "B", content: "Theirs", version: 9 };
  assertEquals([await write(draft, { content: "Mine, too" }), draft.conflicts, draft.isAtRisk], [
    false,
    { content: "Theirs" },
    true,
  ]);
  draft.settle("content", "mine");
  assertEquals([await draft.save(), service.text], [true, { title: "B", content: "Mine, too", version: 10 }]);
});
