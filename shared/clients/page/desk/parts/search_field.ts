import { html, type TemplateResult } from "lit";
import { t } from "../texts.ts";

/** A field that searches with the Enter key, and resets the search when it is emptied. */
export function searchField(
  { label, placeholder = t.parts.search, value, search }: {
    /** The name of the field, for screen readers. */
    label: string;
    placeholder?: string;
    value: string;
    search: (words: string) => void;
  },
): TemplateResult {
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.target as HTMLFormElement);
    search(String(fields.get("search")).trim());
  };
  const onInput = (event: InputEvent) => {
    if ((event.target as HTMLInputElement).value === "") search("");
  };
  return html`
    <form class="search" role="search" @submit=${onSubmit}>
      <input type="search" name="search" placeholder=${placeholder} aria-label=${label} maxlength="500"
        enterkeyhint="search" .value=${value} @input=${onInput}>
    </form>
  `;
}
