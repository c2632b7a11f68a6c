import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { WatchedEvent } from "../../../client/watch.ts";
import { keep } from "../../connection.ts";
import type { Plural } from "../../texts/texts.ts";
import { styleSheets } from "../../ui/element.ts";
import { chatAddress, type Desk, type Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatNumber, formatTime, nameExpert, zoneOfBrowser } from "../format.ts";
import { icons } from "../icons.ts";
import { showLoading } from "../parts/show_state.ts";
import { linkTo } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { type Cancelable, Loading } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import { triedQuestion } from "../try/trial.ts";
import "./waiting_people.ts";
import stepsStyles from "./first_steps.css" with { type: "text" };
import styles from "./overview_panel.css" with { type: "text" };

/** A sentence of the overview, with the place that it leads to. */
type LinkedSentence = {
  icon: TemplateResult;
  sentence: string;
  to: string;
  /** `urgent` if a person waits, `failed` if something went wrong. */
  look?: "urgent" | "failed";
};

/** A sentence with a count, unless the count is 0. */
function unlessNone(
  count: number,
  icon: TemplateResult,
  text: Plural,
  to: string,
  look?: LinkedSentence["look"],
): LinkedSentence[] {
  return count === 0 ? [] : [{ icon, sentence: plural(text, count), to, look }];
}

/** A heading with the sentences below it; nothing if there are none. */
function linkSection(title: string, sentences: LinkedSentence[]): TemplateResult | typeof nothing {
  if (sentences.length === 0) return nothing;
  return html`
    <section class="stack tight" aria-label=${title}>
      <h3>${title}</h3>
      <ul class="links" aria-label=${title}>
        ${sentences.map(({ icon, sentence, to, look = "" }) =>
          html`<li class=${look}><a href=${to}>${icon}<span class="text">${sentence}</span>${icons.next}</a></li>`
        )}
      </ul>
    </section>
  `;
}

type Overview = Schemas["Overview"];

/** The last look at the overview, and the visit before it, as instants. */
type Visits = { seen: string; before: string | null };

/** The time, in milliseconds, after which looking again is another visit. */
const awayFor = 30 * 60_000;

/** Notes that the expert looks at the overview; returns when they were here before, half an hour ago or longer. */
function noteVisit(coachId: string, now = new Date()): string | null {
  const kept = keep<Visits>(`human-desk visit ${coachId}`, "browser");
  const visits = kept.load();
  const isAnother = visits !== null && now.getTime() - Date.parse(visits.seen) > awayFor;
  const before = isAnother ? visits.seen : visits?.before ?? null;
  kept.save({ seen: now.toISOString(), before });
  return before;
}

/** The shortest pause between two readings, in milliseconds. */
const pause = 15_000;

/** The most things to do that are shown, people who wait among them: the others can wait. */
const mostSteps = 3;

/** The first panel: what to do next, what has changed since the last visit, and how the persona did this week. */
export class OverviewPanel extends DeskPart {
  static override styles = styleSheets(styles);

  /** The time of the visit before this one; null on the first visit. */
  #before: string | null = null;
  #overview = this.use(
    new Loading((options) =>
      this.client.getOverview(this.coachId, { since: this.#before ?? undefined, time_zone: zoneOfBrowser() }, options)
    ),
  );
  #refresh = coalesce(async () => this.isConnected && await this.#overview.load(), pause);

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("desk")) return;
    this.#before = noteVisit(this.coachId);
    this.#overview.clear();
    void this.#overview.load();
  }

  protected override heard({ kind }: WatchedEvent): void {
    if (kind !== "watching" && !kind.startsWith("typing.")) this.#refresh();
  }

  override render() {
    const { value: overview } = this.#overview;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title">${t.overview.title}</h2>
        ${overview === null || overview.waiting.people > mostSteps
          ? nothing
          : html`<human-desk-waiting-people .desk=${this.desk}></human-desk-waiting-people>`}
        ${this.mayEdit ? html`<human-desk-first-steps .desk=${this.desk}></human-desk-first-steps>` : nothing}
        ${showLoading(this.#overview, (overview) => this.#renderOverview(overview))}
      </section>
    `;
  }

  #renderOverview({ waiting, trouble, changed, week, week_before }: Overview) {
    const room = waiting.people > mostSteps ? mostSteps : mostSteps - waiting.people;
    const next = [...describeWaiting(waiting), ...describeTrouble(trouble)].slice(0, room);
    const changes = this.#before === null ? [] : describeChanges(changed);
    return html`
      ${linkSection(t.overview.next, next)}
      ${this.#before === null || changes.length === 0 ? nothing : html`
        <div class="stack tight">
          ${linkSection(t.overview.changed, changes)}
          <p class="small muted">${fill(t.overview.lastVisit, { time: formatTime(this.#before) })}</p>
        </div>
      `}
      <section class="stack tight" aria-label=${t.overview.week}>
        <h3>${t.overview.week}</h3>
        ${week.conversations + week_before.conversations === 0
          ? html`<p class="muted">${fill(t.overview.quiet, { name: this.desk.coach.name })}</p>`
          : renderWeek(week, week_before)}
      </section>
    `;
  }
}

function describeWaiting({ questions, people }: Overview["waiting"]): LinkedSentence[] {
  const waiting = linkTo("conversations", null, [["waiting", "1"]]);
  return [
    // Above are all of them, unless there are more.
    ...unlessNone(people > mostSteps ? people : 0, icons.person, t.overview.waitingPeople, waiting, "urgent"),
    ...unlessNone(questions, icons.questions, t.overview.openQuestions, linkTo("questions"), "urgent"),
  ];
}

function describeTrouble({ files_failed, sources_failed, tests_failing }: Overview["trouble"]): LinkedSentence[] {
  return [
    ...unlessNone(files_failed, icons.files, t.overview.filesFailed, linkTo("files"), "failed"),
    ...unlessNone(sources_failed, icons.web, t.overview.sourcesFailed, linkTo("files", "websites"), "failed"),
    ...unlessNone(tests_failing, icons.tests, t.overview.testsFailing, linkTo("tests"), "failed"),
  ];
}

function describeChanges(changed: Overview["changed"]): LinkedSentence[] {
  const { questions, conversations, ratings_down, versions, files, answers_by_others } = changed;
  const rated = linkTo("conversations", null, [["down", "1"]]);
  return [
    ...unlessNone(questions, icons.questions, t.overview.questions, linkTo("questions")),
    ...unlessNone(conversations, icons.conversations, t.overview.conversations, linkTo("conversations")),
    ...unlessNone(ratings_down, icons.down, t.overview.thumbsDown, rated),
    ...unlessNone(answers_by_others, icons.answers, t.overview.answersByOthers, linkTo("answers")),
    ...unlessNone(files, icons.files, t.overview.filesAdded, linkTo("files")),
    ...versions.map(({ version, by }) => ({
      icon: icons.persona,
      sentence: by
        ? fill(t.overview.publishedBy, { version, email: nameExpert(by) })
        : fill(t.overview.published, { version }),
      to: linkTo("persona"),
    })),
  ];
}

/** The figures of a week, each beside that of the week before. */
function renderWeek(week: Overview["week"], before: Overview["week_before"]) {
  const figures = [
    [t.overview.weekPeople, "people"],
    [t.overview.weekAnswers, "answers"],
    [t.overview.weekOwnWords, "own_words"],
    [t.overview.weekNotKnown, "not_known"],
    [t.overview.weekGood, "good"],
    [t.overview.weekBad, "bad"],
  ] as const;
  return html`
    <dl class="week">
      ${figures.map(([name, figure]) =>
        html`
          <div>
            <dt class="small muted">${name}</dt>
            <dd><span class="number">${formatNumber(week[figure])}</span>
              <span class="small muted">${fill(t.overview.weekBefore, { number: before[figure] })}</span>
            </dd>
          </div>
        `
      )}
    </dl>
  `;
}

customElements.define("human-desk-overview", OverviewPanel);

/** The steps from an empty persona to the first conversation, and whether each is done. */
type Steps = Record<"persona" | "files" | "try" | "tests" | "publish" | "conversation", boolean>;

/** A list of the first steps of a new persona. It goes away once people talk to it. */
export class FirstSteps extends DeskPart {
  static override styles = styleSheets(stepsStyles);

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
