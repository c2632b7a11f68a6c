import type { Block } from "./document_reader.ts";

/** A field, a note or a link on a page, as pdf.js describes it. */
export type Annotation = {
  subtype: string;
  rect: number[];
  hidden?: boolean;
  annotationFlags?: number;
  contentsObj?: { str: string };
  /** The lines that it shows, which may be its only text. */
  textContent?: string[];
  /** Of a mark that someone has read a note. */
  stateModel?: string | null;
  fieldType?: string;
  fieldName?: string;
  fieldValue?: unknown;
  /** The choices of a list, with the value that each one stands for. */
  options?: { exportValue: string; displayValue: string }[];
  alternativeText?: string;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string;
  url?: string;
};

/** Hidden, or not to be seen on a screen. */
const unseen = 0b100010;

/** The fields of a form that are filled in, and the notes that are typed on a page. */
export function readAnnotations(annotations: Annotation[], page: number): Block[] {
  return annotations.flatMap((annotation) => {
    if (((annotation.annotationFlags ?? 0) & unseen) !== 0) return [];
    const text = annotation.subtype === "Widget" ? readField(annotation) : readNote(annotation);
    return text.trim() === "" ? [] : [{ text, page, level: null }];
  });
}

function readNote({ subtype, contentsObj, stateModel, textContent = [] }: Annotation): string {
  const isTyped = subtype === "FreeText" || subtype === "Text" && !stateModel;
  return isTyped ? contentsObj?.str || textContent.join("\n") : "";
}

function readField(field: Annotation): string {
  const { fieldType, fieldValue, textContent = [], password = false } = field;
  const name = nameOf(field);
  if (fieldType === "Btn") return readButton(field, name);
  const value = fieldType === "Tx" ? fieldValue || textContent.join("\n") : fieldValue;
  const values = [value].flat().filter((value) => typeof value === "string" && value.trim() !== "");
  if (values.length === 0 || password || fieldType === "Sig") return "";
  const shown = values.map((value) =>
    field.options?.find(({ exportValue }) => exportValue === value)?.displayValue ?? value
  );
  return `${name === "" ? "" : `${name}: `}${shown.join(", ")}`;
}

/** A box says something only together with its name; an empty one too. */
function readButton(
  { checkBox = false, radioButton = false, fieldValue, exportValue, buttonValue }: Annotation,
  name: string,
): string {
  const isOn = checkBox ? fieldValue === exportValue : radioButton && fieldValue === buttonValue;
  if (radioButton) return isOn ? `☑ ${[name, buttonValue].filter(Boolean).join(": ")}` : "";
  return checkBox && name !== "" ? `${isOn ? "☑" : "☐"} ${name}` : "";
}

/** The words that a form has for a field; names that programs have made up are none. */
function nameOf({ alternativeText = "", fieldName = "" }: Annotation): string {
  if (alternativeText.trim() !== "") return alternativeText.trim().replace(/\s*:$/, "");
  const name = fieldName.split(".").at(-1)!.replace(/\[\d+\]$/, "").replace(/[_-]+/g, " ").trim();
  const isMadeUp = /^(?:text|textfield|field|check ?box|undefined|untitled|fill|group|button|f\d|c\d)\s*\d*\b/i.test(
    name,
  );
  return isMadeUp || !/^[\p{L}\p{M}][\p{L}\p{M}\p{N} ,()/&'’.]{1,80}$/u.test(name) ? "" : name;
}
