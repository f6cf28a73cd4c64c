/** The settings of the organization that switches turn on and off. */
import type { JSX } from 'preact';
import type { ParametersOf } from '../../chat/session.ts';
import type { Organization } from '../../client/store/types.ts';
import { useCell } from '../context.ts';
import { useAdmin } from './admin-words.ts';
import { type Change, changeOf } from './change.tsx';
import { SwitchSetting } from './kit.tsx';

export type OrganizationChange = NonNullable<ParametersOf<'organization.edit'>[0]>;

type EditOrganization = (parameters: OrganizationChange, question?: string) => Change;

/** What each part of a page of settings gets. */
export interface SettingsProps {
  organization: Organization;
  /** Why the user cannot change what only owners can. */
  ownersOnly: string | false;
  edit: EditOrganization;
}

/** Changes of settings, and why the user cannot make those of owners. */
export function useOrganizationChange(): { edit: EditOrganization; ownersOnly: string | false } {
  const { store, words } = useAdmin();
  const me = useCell(store.me);
  return {
    edit: (parameters, question = words.settingQuestion) =>
      changeOf({ operation: 'organization.edit', parameters, question }),
    ownersOnly: !me?.is_owner && words.ownersOnly,
  };
}

/** Clients learn whether passwords are on from two other settings. */
type SwitchName = Exclude<
  { [K in keyof OrganizationChange]-?: boolean extends OrganizationChange[K] ? K : never }[keyof OrganizationChange],
  undefined | 'password_login'
>;

interface SwitchProps {
  name: SwitchName;
  label: string;
  hint?: string;
  refusal?: string | false;
}

export function OrganizationSwitch({ name, ...texts }: SwitchProps): JSX.Element {
  const { store } = useAdmin();
  const { edit } = useOrganizationChange();
  const isOn = useCell(store.organization)?.[`realm_${name}`] ?? false;
  return <SwitchSetting {...texts} value={isOn} change={(next) => edit({ [name]: next })} />;
}
