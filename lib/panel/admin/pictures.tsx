/** The icon and the logos of the organization: preview, upload, removal. */
import type { JSX } from 'preact';
import type { Session } from '../../chat/session.ts';
import { FileButton } from '../app/file-button.tsx';
import { useAction } from '../app/hooks.ts';
import { ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { type Change, changeOf } from './change.tsx';
import { RemoveButton } from './forms.tsx';

const KINDS = ['icon', 'logo', 'night_logo'] as const;

type Kind = (typeof KINDS)[number];

export function Pictures(): JSX.Element {
  return (
    <>
      {KINDS.map((kind) => (
        <Picture key={kind} kind={kind} />
      ))}
    </>
  );
}

function upload({ organization }: Session, kind: Kind, file: File): Promise<unknown> {
  return kind === 'icon'
    ? organization.uploadIcon({ file })
    : organization.uploadLogo({ file, night: kind === 'night_logo' });
}

function removalOf(kind: Kind, question: string): Change {
  return kind === 'icon'
    ? changeOf({ operation: 'organization.removeIcon', parameters: {}, question })
    : changeOf({ operation: 'organization.removeLogo', parameters: { night: kind === 'night_logo' }, question });
}

function Picture({ kind }: { kind: Kind }): JSX.Element | null {
  const { store, site, words, announce } = useAdmin();
  const organization = useCell(store.organization);
  const action = useAction();
  const choose = async (file: File) => {
    if (await action.run(() => upload(store.session, kind, file))) announce(words.saved);
  };
  if (!organization) return null;
  const { label, hint, add, question } = words.organizationPictures[kind];
  const isUploaded = organization[`realm_${kind}_source`] === 'U';
  return (
    <section class="field" aria-label={label}>
      <span class="field-label">{label}</span>
      {isUploaded ? (
        <img
          class={`admin-picture admin-picture-${kind}`}
          src={new URL(organization[`realm_${kind}_url`], `${site}/`).href}
          alt={label}
        />
      ) : (
        <p class="muted">{words.noPicture}</p>
      )}
      <div class="admin-actions">
        <FileButton label={add} isDisabled={action.isRunning} onChoose={choose}>
          {add}
        </FileButton>
        {isUploaded && <RemoveButton name={label} change={removalOf(kind, question)} />}
      </div>
      <p class="field-hint">{hint}</p>
      <ErrorText action={action} />
    </section>
  );
}
