import { html, nothing, type PropertyValues } from "lit";
import type { WatchedEvent } from "../../../client/watch.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart, deskStyles } from "../desk_part.ts";
import { formatNumber, formatTime, nameExpert, zoneOfBrowser } from "../format.ts";
import { icons } from "../icons.ts";
import { showError } from "../parts/show_error.ts";
import { linkTo } from "../route.ts";
import { coalesce } from "../state/coalesce.ts";
import { Loading } from "../state/work.ts";
import { fill, plural, t } from "../texts.ts";
import "./first_steps.ts";
import { type LinkedSentence, linkSection, unlessNone } from "./link_list.ts";
import { overviewStyles } from "./overview_styles.ts";
import "./waiting_people.ts";
import { keep } from "../../connection.ts";

type Overview = Schemas["Overview"];

/** The last look at the overview, and the visit before it, as instants. */
type Visits = { seen: string; before: string | null };

/** The time, in milliseconds, after which looking again is another visit. */
const awayFor = 30 * 60_000;

/**
 * Notes that the expert looks at the overview, and returns when they were here before. Null on the first visit in this
 * browser. Looking again within half an hour, or reloading, belongs to the same visit.
 */
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
  static override styles = [deskStyles, overviewStyles];

  /** The time of the visit before this one; null on the first visit. */
  #before: string | null = null;
  #overview = this.use(
    new Loading<Overview>((signal) => {
      const { client, coach } = this.desk;
      return client.getOverview(coach.id, { since: this.#before ?? undefined, time_zone: zoneOfBrowser() }, { signal });
    }),
  );
  #refresh = coalesce(async () => this.isConnected && await this.#overview.load(), pause);

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("desk")) return;
    this.#before = noteVisit(this.desk.coach.id);
    this.#overview.clear();
    void this.#overview.load();
  }

  protected override heard({ kind }: WatchedEvent): void {
    if (kind !== "watching" && !kind.startsWith("typing.")) this.#refresh();
  }

  override render() {
    const { value: overview, error } = this.#overview;
    return html`
      <section class="panel stack" aria-labelledby="title">
        <h2 id="title">${t.overview.title}</h2>
        ${overview === null || overview.waiting.people > mostSteps
          ? nothing
          : html`<human-desk-waiting-people .desk=${this.desk}></human-desk-waiting-people>`}
        ${showError(error, () => this.#overview.load())}
        ${this.desk.role === "answerer"
          ? nothing
          : html`<human-desk-first-steps .desk=${this.desk}></human-desk-first-steps>`}
        ${overview === null
          ? error === null ? html`<p class="muted" role="status">${t.shared.loading}…</p>` : nothing
          : this.#renderOverview(overview)}
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
  return [
    // Above are all of them, unless there are more.
    ...unlessNone(people > mostSteps ? people : 0, () => ({
      icon: icons.person,
      sentence: plural(t.overview.waitingPeople, people),
      to: linkTo("conversations", null, [["waiting", "1"]]),
      look: "urgent",
    })),
    ...unlessNone(questions, () => ({
      icon: icons.questions,
      sentence: plural(t.overview.openQuestions, questions),
      to: linkTo("questions"),
      look: "urgent",
    })),
  ];
}

function describeTrouble({ files_failed, sources_failed, tests_failing }: Overview["trouble"]): LinkedSentence[] {
  return [
    ...unlessNone(files_failed, () => ({
      icon: icons.files,
      sentence: plural(t.overview.filesFailed, files_failed),
      to: linkTo("files"),
      look: "failed",
    })),
    ...unlessNone(sources_failed, () => ({
      icon: icons.web,
      sentence: plural(t.overview.sourcesFailed, sources_failed),
      to: linkTo("files", "websites"),
      look: "failed",
    })),
    ...unlessNone(tests_failing, () => ({
      icon: icons.tests,
      sentence: plural(t.overview.testsFailing, tests_failing),
      to: linkTo("tests"),
      look: "failed",
    })),
  ];
}

function describeChanges(changed: Overview["changed"]): LinkedSentence[] {
  const { questions, conversations, ratings_down, versions, files, answers_by_others } = changed;
  return [
    ...unlessNone(questions, () => ({
      icon: icons.questions,
      sentence: plural(t.overview.questions, questions),
      to: linkTo("questions"),
    })),
    ...unlessNone(conversations, () => ({
      icon: icons.conversations,
      sentence: plural(t.overview.conversations, conversations),
      to: linkTo("conversations"),
    })),
    ...unlessNone(ratings_down, () => ({
      icon: icons.down,
      sentence: plural(t.overview.thumbsDown, ratings_down),
      to: linkTo("conversations", null, [["down", "1"]]),
    })),
    ...unlessNone(answers_by_others, () => ({
      icon: icons.answers,
      sentence: plural(t.overview.answersByOthers, answers_by_others),
      to: linkTo("answers"),
    })),
    ...unlessNone(files, () => ({
      icon: icons.files,
      sentence: plural(t.overview.filesAdded, files),
      to: linkTo("files"),
    })),
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
