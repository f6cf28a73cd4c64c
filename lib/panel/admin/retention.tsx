/** How long messages stay: as in the organization, forever, or a number of days. */
import type { JSX } from 'preact';
import { Button } from '../buttons.tsx';
import { useAdmin } from './admin-words.ts';
import { type Change, useChange } from './change.tsx';
import { Input, Labelled, Select, useEntered } from './kit.tsx';

interface RetentionSettingProps {
  /** Null: as in the organization. -1: forever. */
  days: number | null;
  /** Whether there is a setting of the organization to follow. */
  hasDefault?: boolean;
  refusal?: string | false;
  change(value: number | 'realm_default' | 'unlimited'): Change;
}

type Mode = 'realm_default' | 'unlimited' | 'days';

const modeOf = (days: number | null): Mode => (days === null ? 'realm_default' : days < 0 ? 'unlimited' : 'days');

const MAX_DAYS = 36_500;

export function RetentionSetting({ days, hasDefault = false, refusal, change }: RetentionSettingProps): JSX.Element {
  const { words } = useAdmin();
  const saving = useChange();
  const saved = days !== null && days > 0 ? String(days) : '';
  const mode = useEntered(modeOf(days));
  const count = useEntered(saved);
  const choose = async (next: Mode) => {
    mode.enter(next);
    if (next === 'days') return;
    if (await saving.propose({ ...change(next), isAsked: true })) mode.saved();
    else mode.discard();
  };
  const save = async (event: Event) => {
    event.preventDefault();
    if (!(await saving.propose({ ...change(Number(count.shown)), isAsked: true }))) return;
    mode.saved();
    count.saved();
  };
  const options = [
    ...(hasDefault ? [['realm_default', words.retentionOfOrganization] as const] : []),
    ['unlimited', words.forever] as const,
    ['days', words.forDays] as const,
  ];
  return (
    <form class="text-setting" onSubmit={save}>
      <Labelled label={words.retention} hint={words.retentionHint} error={saving.error} refusal={refusal}>
        {(attributes) => <Select attributes={attributes} value={mode.shown} options={options} onChange={choose} />}
      </Labelled>
      {mode.shown === 'days' && !refusal && (
        <div class="form-line">
          <Input
            label={words.daysToKeep}
            type="number"
            value={count.shown}
            onInput={count.enter}
            min={1}
            max={MAX_DAYS}
            isRequired
          />
          <Button isSubmit kind="primary" isDisabled={count.shown === saved || saving.isRunning}>
            {words.save}
          </Button>
        </div>
      )}
    </form>
  );
}
