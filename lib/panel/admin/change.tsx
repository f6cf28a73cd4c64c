/** Runs each change as a dry run first. If something else follows from it, shows what, and asks. */
import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { isChatError } from '../../base/errors.ts';
import type { DryRun } from '../../chat/consequences.ts';
import type { OperationName, ParametersOf, Session } from '../../chat/session.ts';
import { Field } from '../app/controls.tsx';
import { type Action, useAction } from '../app/hooks.ts';
import { useCell, usePeople } from '../context.ts';
import { ActionForm, Dialog } from '../dialog.tsx';
import { useAdmin } from './admin-words.ts';
import { consequencesOf, usersIn } from './consequences.ts';

export interface Change {
  readonly operation: OperationName;
  readonly parameters: object;
  /** A question: asked if something follows from the change. */
  readonly question: string;
  /** Ask also if nothing follows. */
  readonly isAsked?: boolean;
  readonly submit?: string;
  readonly isDangerous?: boolean;
}

/** Checks that the parameters are those of the operation. */
export const changeOf = <N extends OperationName>(
  change: Change & { readonly operation: N; readonly parameters: ParametersOf<N>[0] },
): Change => change;

export type Call = Pick<Change, 'operation' | 'parameters'>;

/** The same without a question: that follows from where it stands. */
export const callOf = <N extends OperationName>(operation: N, parameters: ParametersOf<N>[0]): Call => ({
  operation,
  parameters: parameters ?? {},
});

interface Proposed {
  readonly change: Change;
  readonly run: DryRun;
  readonly groups: ReadonlyMap<number, string>;
  end(isDone: boolean): void;
}

const ProposeContext = createContext<(change: Change) => Promise<boolean>>(async () => false);

type Confirmed = <T>(call: (given: { code?: string }) => Promise<T>) => Promise<T>;

const ConfirmContext = createContext<Confirmed>((call) => call({}));

/** Makes a call, and again with a code of the user's second factor if the server asks for it. */
export const useConfirmed = (): Confirmed => useContext(ConfirmContext);

type Method = (parameters: unknown) => Promise<object>;

const methodOf = (operations: Session | Session['dryRun'], name: OperationName): Method =>
  name.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], operations) as Method;

/** Asks before changes with consequences. */
export function Changes({ children }: { children: ComponentChildren }): JSX.Element {
  const { store, words, formats } = useAdmin();
  const [proposed, setProposed] = useState<Proposed>();
  const endOpen = useRef<(isDone: boolean) => void>(() => {});
  const [asking, setAsking] = useState<(code?: string) => void>();
  const confirmed: Confirmed = async (call) => {
    try {
      return await call({});
    } catch (error) {
      if (!isChatError(error, 'SECOND_FACTOR_NEEDED') || error.data.reason !== 'code_missing') throw error;
      const code = await new Promise<string | undefined>((resolve) => setAsking(() => resolve));
      setAsking(undefined);
      if (!code) throw error;
      return call({ code });
    }
  };
  const perform = (change: Change) =>
    confirmed((given) => methodOf(store.session, change.operation)({ ...change.parameters, ...given }));
  const propose = async (change: Change) => {
    const run = (await methodOf(store.session.dryRun, change.operation)(change.parameters)) as DryRun;
    const groups = new Map((await store.people.groups()).map(({ id, name }) => [id, name] as const));
    const unnamed = { user: () => '', channel: () => '', groups };
    if (!change.isAsked && consequencesOf(run, change, { names: unnamed, words, formats }).length === 0) {
      await perform(change);
      return true;
    }
    // While the server was asked, the user may have begun another change: one question at a time.
    endOpen.current(false);
    return new Promise<boolean>((resolve) => {
      const end = (isDone: boolean) => {
        endOpen.current = () => {};
        setProposed(undefined);
        resolve(isDone);
      };
      endOpen.current = end;
      setProposed({ change, run, groups, end });
    });
  };
  return (
    <ConfirmContext.Provider value={confirmed}>
      <ProposeContext.Provider value={propose}>
        {children}
        {proposed && <Question key={proposed.change.question} proposed={proposed} perform={perform} />}
        {asking && <CodeQuestion end={asking} />}
      </ProposeContext.Provider>
    </ConfirmContext.Provider>
  );
}

function CodeQuestion({ end }: { end(code?: string): void }): JSX.Element {
  const { words } = useAdmin();
  const [code, setCode] = useState('');
  return (
    <Dialog title={words.codeQuestion} onClose={() => end()}>
      <ActionForm submit={words.confirm} run={async () => end(code.trim())} onClose={() => end()}>
        <Field label={words.factorCode} autocomplete="one-time-code" value={code} onInput={setCode} isRequired />
      </ActionForm>
    </Dialog>
  );
}

function Question({ proposed, perform }: { proposed: Proposed; perform(change: Change): Promise<unknown> }) {
  const { store, words, formats } = useAdmin();
  const { change, run, groups, end } = proposed;
  const ids = usersIn(run);
  const people = usePeople(ids);
  const channels = useCell(store.channels);
  const names = {
    user: (id: number) => people[ids.indexOf(id)]?.full_name ?? '…',
    channel: (id: number) => channels.get(id)?.name,
    groups,
  };
  const lines = consequencesOf(run, change, { names, words, formats });
  let isDone = false;
  return (
    <Dialog title={change.question} onClose={() => end(false)}>
      <ActionForm
        submit={change.submit ?? words.save}
        isDangerous={change.isDangerous ?? false}
        run={async () => {
          await perform(change);
          isDone = true;
        }}
        onClose={() => end(isDone)}
      >
        {lines.length > 0 && (
          <div>
            <p>{words.whatHappens}</p>
            <ul class="consequences">
              {lines.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
      </ActionForm>
    </Dialog>
  );
}

/** Makes changes, with their errors in place. `propose` resolves to false after a refusal or a cancel. */
export function useChange(): Action & { propose(change: Change): Promise<boolean> } {
  const { words, announce } = useAdmin();
  const propose = useContext(ProposeContext);
  const action = useAction();
  return {
    ...action,
    async propose(change) {
      let isMade = false;
      const isAccepted = await action.run(async () => {
        isMade = await propose(change);
      });
      if (isMade) announce(words.saved);
      return isAccepted && isMade;
    },
  };
}
