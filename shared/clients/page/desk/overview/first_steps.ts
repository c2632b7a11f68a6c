import { html, nothing, type PropertyValues } from "lit";
import { styleSheets } from "../../ui/element.ts";
import { chatAddress, type Desk } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { icons } from "../icons.ts";
import { linkTo } from "../route.ts";
import { triedQuestion } from "../try/trial.ts";
import { type Cancelable, Loading } from "../state/work.ts";
import { fill, t } from "../texts.ts";
import styles from "./first_steps.css" with { type: "text" };

/** The steps from an empty persona to the first conversation, and whether each is done. */
type Steps = Record<"persona" | "files" | "try" | "tests" | "publish" | "conversation", boolean>;

/** A list of the first steps of a new persona. It goes away once people talk to it. */
export class FirstSteps extends DeskPart {
  static override styles = styleSheets(styles);

  /** Null if the persona is not new. */
  #steps = this.use(new Loading(async (options) => ({ steps: await readSteps(this.desk, options) })));

  override willUpdate(changed: PropertyValues): void {
    if (changed.has("desk")) void this.#steps.load();
  }

  override render() {
    // A checklist that cannot be read is not missed.
    const steps = this.#steps.value?.steps;
    if (!steps) return nothing;
    const { role } = this.desk;
    const chatUrl = chatAddress(this.desk);
    const all = Object.values(steps);
    const done = all.filter(Boolean).length;
    return html`
      <section class="card" aria-labelledby="steps">
        <div class="row spread">
          <h3 id="steps">${t.overview.steps}</h3>
          <span class="small muted">${fill(t.overview.stepsDone, { done, all: all.length })}</span>
        </div>
        <ol class="list">
          ${this.#renderStep(steps.persona, t.overview.stepPersona, t.overview.stepPersonaHint, linkTo("persona"))}
          ${this.#renderStep(steps.files, t.overview.stepFiles, t.overview.stepFilesHint, linkTo("files"))}
          ${this.#renderStep(steps.try, t.overview.stepTry, t.overview.stepTryHint, linkTo("try"))}
          ${this.#renderStep(steps.tests, t.overview.stepTests, t.overview.stepTestsHint, linkTo("tests", "new"))}
          ${this.#renderStep(
            steps.publish,
            t.overview.stepPublish,
            role === "owner" ? t.overview.stepPublishHint : t.overview.stepPublishByOwner,
            linkTo("persona"),
          )}
          ${this.#renderStep(
            steps.conversation,
            t.overview.stepConversation,
            t.overview.stepConversationHint,
            steps.publish ? chatUrl : null,
          )}
        </ol>
      </section>
    `;
  }

  #renderStep(isDone: boolean, name: string, hint: string, to: string | null) {
    return html`
      <li class=${isDone ? "done" : ""}>
        <span class="mark">${isDone ? icons.check : nothing}</span>
        <div>
          <p>${to === null ? html`<strong>${name}</strong>` : html`<a href=${to}>${name}</a>`}
            ${isDone ? html`<span class="visually-hidden">${t.overview.stepDone}</span>` : nothing}</p>
          ${isDone ? nothing : html`<p class="small muted">${hint}</p>`}
        </div>
      </li>
    `;
  }
}

/** Finds out which steps are done. Returns null if people talk to the persona already. */
async function readSteps({ client, coach }: Desk, options: Cancelable): Promise<Steps | null> {
  const first = { limit: 1 };
  const conversations = await client.listConversations(coach.id, first, options);
  if (conversations.data.length > 0) return null;
  const [draft, files, tests] = await Promise.all([
    client.getDraft(coach.id, options),
    client.searchFiles({ coachId: coach.id, page: 1, ...first }, options),
    client.listTests(coach.id, first, options),
  ]);
  return {
    persona: coach.slug !== null || draft.changes.length > 0,
    files: files.total > 0,
    try: triedQuestion(coach.id).load() ?? false,
    tests: tests.data.length > 0,
    publish: coach.slug !== null,
    conversation: false,
  };
}

customElements.define("human-desk-first-steps", FirstSteps);
