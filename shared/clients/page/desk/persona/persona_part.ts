import { observe } from "../../ui/element.ts";
import { DeskPart } from "../desk_part.ts";
import { t } from "../texts.ts";
import { draftOf, type PersonaDraft } from "./persona_draft.ts";

/** The base of the parts of the panel, which show the draft. */
export abstract class PersonaPart extends DeskPart {
  constructor() {
    super();
    observe(this, () => this.desk ? this.draft : null);
  }

  protected get draft(): PersonaDraft {
    return draftOf(this.desk);
  }

  /** Saves the draft, which is asked or published next. @throws why it is not as the form shows it */
  protected async saveDraft(): Promise<void> {
    if (!await this.draft.save()) throw this.draft.saveError ?? new Error(t.persona.settleFirst);
  }

  /** True if the persona was ever published. It may be paused. */
  protected get wasPublished(): boolean {
    return this.desk.coach.slug !== null;
  }
}
