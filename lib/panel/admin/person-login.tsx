/** Password, second factor and logins of one person. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../app/hooks.ts';
import { LinkField } from '../app/invitations.tsx';
import { Button, ErrorText } from '../buttons.tsx';
import { useAdmin } from './admin-words.ts';
import { changeOf, useConfirmed } from './change.tsx';
import { ChangeButton } from './forms.tsx';

interface SecondFactorProps {
  person: { readonly user_id: number; readonly full_name: string; readonly has_second_factor?: boolean | undefined };
  mayReset: boolean;
  /** No event announces the change. */
  refresh(): void;
}

export function SecondFactor({ person, mayReset, refresh }: SecondFactorProps): JSX.Element {
  const { words } = useAdmin();
  const { user_id, full_name, has_second_factor } = person;
  const reset = changeOf({
    operation: 'users.resetSecondFactor',
    parameters: { user_id },
    question: words.resetSecondFactorQuestion(full_name),
    isDangerous: true,
  });
  return (
    <div>
      <p>{has_second_factor ? words.hasSecondFactor : words.hasNoSecondFactor}</p>
      {has_second_factor && mayReset && (
        <ChangeButton
          label={words.resetSecondFactor}
          change={reset}
          hint={words.resetSecondFactorHint}
          onDone={refresh}
        />
      )}
    </div>
  );
}

export function Login({ id, name }: { id: number; name: string }): JSX.Element {
  const { store, words, announce } = useAdmin();
  const link = useAction();
  const unlocking = useAction();
  const end = changeOf({
    operation: 'users.endLogins',
    parameters: { user_id: id },
    question: words.endLoginsQuestion(name),
    isDangerous: true,
  });
  const [address, setAddress] = useState<string>();
  const confirmed = useConfirmed();
  const create = async () => {
    const made = await confirmed((code) => store.session.users.createResetLink({ user_id: id, ...code }));
    setAddress(made.reset_link);
  };
  const unlock = async () => {
    if (await unlocking.run(() => confirmed((code) => store.session.users.unlock({ user_id: id, ...code }))))
      announce(words.unlocked);
  };
  return (
    <>
      <div>
        {address === undefined ? (
          <Button isDisabled={link.isRunning} onClick={() => link.run(create)}>
            {words.createResetLink}
          </Button>
        ) : (
          <LinkField label={words.resetLink} link={address} />
        )}
        <p class="field-hint">{words.resetLinkHint}</p>
        <ErrorText action={link} />
      </div>
      <div>
        <ChangeButton label={words.endLogins} change={end} hint={words.endLoginsHint} />
      </div>
      <div>
        <Button isDisabled={unlocking.isRunning} onClick={unlock}>
          {words.unlockAccount}
        </Button>
        <ErrorText action={unlocking} />
      </div>
    </>
  );
}
