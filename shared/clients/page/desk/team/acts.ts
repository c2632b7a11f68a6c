import { html } from "lit";
import { isolate } from "../../../isolate.ts";
import type { Schemas } from "../desk.ts";
import { DeskPart } from "../desk_part.ts";
import { formatTime, nameExpert } from "../format.ts";
import { showList } from "../parts/show_list.ts";
import { PagedList } from "../state/paged_list.ts";
import { fill, t } from "../texts.ts";

type Act = Schemas["Act"];

/** Acts on a persona and its team, for owners. */
export class Acts extends DeskPart {
  #list = this.use(
    new PagedList<Act>((page, signal) => this.desk.client.listActs(this.desk.coach.id, page, { signal })),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#list.load();
  }

  override render() {
    return html`
      <section class="stack tight" aria-labelledby="acts">
        <h3 id="acts">${t.team.history}</h3>
        <p class="small muted">${t.team.historyHint}</p>
        ${showList(this.#list, {
          name: t.team.history,
          key: ({ id }) => String(id),
          item: (act) =>
            html`
              <p class="text">${describeAct(act)}</p>
              <p class="facts small muted"><span>${describeActor(act)}</span> <span>${formatTime(
                act.created_at,
              )}</span></p>
            `,
          empty: html`<p class="muted">${t.team.noHistory}</p>`,
        })}
      </section>
    `;
  }
}

/** An act in words. A kind of a later version of the service is told as another change. */
function describeAct({ kind, subject, subject_user }: Act): string {
  const texts: Record<string, string> = {
    "coach.created": t.team.actCreated,
    "coach.published": t.team.actPublished,
    "coach.paused": t.team.actPaused,
    "coach.resumed": t.team.actResumed,
    "expert.added": t.team.actAdded,
    "expert.changed": t.team.actChanged,
    "expert.removed": t.team.removed,
    "expert.invited": t.team.actInvited,
    "invitation.deleted": t.team.actUninvited,
    "budget.set": t.team.actBudget,
    "budget.removed": t.team.actNoBudget,
  };
  const email = subject_user === null ? t.team.somebody : nameExpert(subject_user);
  return fill(texts[kind] ?? t.team.actOther, { email: isolate(email), version: Number(subject) });
}

function describeActor({ by, user }: Act): string {
  if (user !== null) return fill(t.team.by, { email: isolate(nameExpert(user)) });
  return { expert: t.team.bySomebody, server: t.team.byServer, operator: t.team.byOperator }[by];
}

customElements.define("human-desk-acts", Acts);
