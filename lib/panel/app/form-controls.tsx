/** Fields with a choice. */
import type { JSX } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

/**
 * What a control shows: the choice of the user at once, and the saved value when it changes or saving failed.
 * @param save resolves to false if it failed
 */
function useChosen<T>(saved: T, save: (value: T) => unknown): [chosen: T, choose: (value: T) => void] {
  const [chosen, setChosen] = useState(saved);
  useEffect(() => setChosen(saved), [saved]);
  const choose = async (value: T) => {
    setChosen(value);
    if ((await save(value)) === false) setChosen(saved);
  };
  return [chosen, choose];
}

interface CheckProps {
  label: string;
  isChecked: boolean;
  /** Resolves to false if it failed. */
  onChange(isChecked: boolean): unknown;
  hint?: string;
  isDisabled?: boolean;
}

export function Check({ label, isChecked, onChange, hint, isDisabled }: CheckProps): JSX.Element {
  const id = useId();
  const [chosen, choose] = useChosen(isChecked, onChange);
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={chosen}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps<T extends string | number> {
  label: string;
  value: T;
  options: readonly (readonly [value: T, label: string])[];
  /** Resolves to false if it failed. */
  onChange(value: T): unknown;
}

export function Choice<T extends string | number>({ label, value, options, onChange }: ChoiceProps<T>): JSX.Element {
  const id = useId();
  const [chosen, choose] = useChosen(value, onChange);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="input"
        value={chosen}
        onChange={(event) => {
          const option = options.find(([choice]) => String(choice) === event.currentTarget.value);
          if (option) choose(option[0]);
        }}
      >
        {options.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
