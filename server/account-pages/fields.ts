import { type Html, html } from './html.ts';

/** Values and errors of a form. Passwords are never shown again. */
export interface FormState {
  values: Readonly<Record<string, string>>;
  /** Errors by field. The key '' is for errors without a field. */
  errors: Readonly<Record<string, string | Html>>;
}

export const EMPTY: FormState = { values: {}, errors: {} };

export interface Field {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  /** Initial value. */
  value?: string;
  readonly?: boolean;
  minlength?: number;
  maxlength?: number;
}

/** A field with its label, hint and error. */
export function field(
  { name, label, type = 'text', autocomplete, hint, value, readonly = false, minlength, maxlength }: Field,
  { values, errors }: FormState,
): Html {
  const error = errors[name];
  const described = [...(error ? [`${name}-error`] : []), ...(hint ? [`${name}-hint`] : [])].join(' ');
  const shown = type === 'password' ? undefined : (values[name] ?? value);
  const isFirstWrong = error !== undefined && Object.keys(errors)[0] === name;
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${error !== undefined && html`<span class="error" id="${name}-error">${error}</span>`}
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${attribute('value', shown)}${attribute('minlength', minlength)}${attribute('maxlength', maxlength)}${attribute('aria-describedby', described || undefined)}${error !== undefined && html` aria-invalid="true"`}${isFirstWrong && html` autofocus`}${readonly ? html` readonly` : html` required`}${type !== 'text' && html` autocapitalize="none" spellcheck="false"`}>
</div>`;
}

const attribute = (name: string, value: string | number | undefined) =>
  value !== undefined && html` ${name}="${value}"`;

/** The errors above the form, with links to their fields. */
export function problems({ errors }: FormState): Html | false {
  const all = Object.entries(errors);
  if (all.length === 0) return false;
  return html`<div class="problem" role="alert">
<h2>That did not work</h2>
${all.map(([name, error]) =>
  name === ''
    ? html`<p>${error}</p>`
    : html`<p>${typeof error === 'string' ? html`<a href="#${name}">${error}</a>` : error}</p>`,
)}
</div>`;
}

/** A form that posts to the URL of its page. */
export function form(labelledBy: string, fields: readonly (Html | false)[], button: string): Html {
  return html`<form method="post" aria-labelledby="${labelledBy}">
${fields}
<p><button type="submit">${button}</button></p>
</form>`;
}
