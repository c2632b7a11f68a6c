import { html } from "lit";
import { isolate } from "../../../isolate.ts";
import type { Property } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { linkTo, type Route } from "../route.ts";
import { fill, t } from "../texts.ts";
import "../notices/browser_notices.ts";
import "../notices/mail_form.ts";
import type { Schemas } from "../desk.ts";
import { showList, showTabs } from "../parts/show_state.ts";
import { PagedList } from "../state/work.ts";
import { formatTime, nameExpert } from "../format.ts";
import "./invitations.ts";
import "./colleagues.ts";

/** The panel of the experts who share a persona, and of how each of them is told what happens. */
export class TeamPanel extends DeskPart.with({ route: {} as Property<Route> }) {
  override render() {
    const isNotices = this.route.id === "notices";
    return html`
      <section class="panel stack" aria-labelledby="title">
        <div class="row spread">
          <h2 id="title" tabindex="-1">${isNotices ? t.notices.title : t.team.title}</h2>
          ${showTabs(t.team.title, [
            [linkTo("team"), t.team.colleagues, !isNotices],
            [linkTo("team", "notices"), t.notices.title, isNotices],
          ])}
        </div>
        ${isNotices ? this.#renderNotices() : this.#renderTeam()}
      </section>
    `;
  }

  /** The choices of what the expert is told by email and in this browser. */
  #renderNotices() {
    return html`
      <human-desk-mail .desk=${this.desk}></human-desk-mail>
      <human-desk-browser-switch .desk=${this.desk}></human-desk-browser-switch>
    `;
  }

  #renderTeam() {
    return html`
      <human-desk-colleagues .desk=${this.desk}></human-desk-colleagues>
      ${this.isOwner
        ? html`
          <human-desk-invitations .desk=${this.desk}></human-desk-invitations>
          <human-desk-acts .desk=${this.desk}></human-desk-acts>
        `
        : html`<p class="muted">${t.team.onlyOwners}</p>`}
    `;
  }
}

customElements.define("human-desk-team", TeamPanel);

type Act = Schemas["Act"];

/** Acts on a persona and its team, for owners. */
export class Acts extends DeskPart {
  #list = this.show(new PagedList((page, options) => this.client.listActs(this.coachId, page, options)));

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
