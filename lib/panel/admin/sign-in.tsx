/** How people sign in and join: what the server offers, and what the organization requires. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from '../app/router.tsx';
import { Section } from '../app/sections.tsx';
import { ErrorText } from '../buttons.tsx';
import { useCell } from '../context.ts';
import { useFetched } from '../refusal.ts';
import { useAdmin } from './admin-words.ts';
import { changeOf } from './change.tsx';
import { CreateForm, RemoveButton } from './forms.tsx';
import { CheckField, ChoiceSetting, Input, TextSetting } from './kit.tsx';
import { Line, List } from './lines.tsx';
import { useLive } from './live.tsx';
import { OrganizationSwitch, type SettingsProps, useOrganizationChange } from './organization-settings.tsx';
import { Permissions, permissionsIn, useGroups } from './permissions.tsx';

export function SignInSection(): JSX.Element | null {
  const { store, words } = useAdmin();
  const organization = useCell(store.organization);
  const { edit, ownersOnly } = useOrganizationChange();
  if (!organization) return null;
  return (
    <>
      <Section title={words.waysToSignIn}>
        <Ways />
      </Section>
      <Section title={words.secondFactorSection}>
        <ChoiceSetting<string>
          label={words.secondFactorRoles}
          hint={words.secondFactorRolesHint}
          value={organization.realm_second_factor_required_for}
          options={Object.entries(words.secondFactorChoices)}
          change={(role) => edit({ second_factor_required_for: role as 'nobody' })}
        />
      </Section>
      <Section title={words.invitationsSection}>
        <Invitations organization={organization} ownersOnly={ownersOnly} edit={edit} />
      </Section>
      <Section title={words.domains}>
        <AddressRules ownersOnly={ownersOnly} />
        <Domains ownersOnly={ownersOnly} />
      </Section>
      <Section title={words.waitingPeriodSection}>
        <TextSetting
          label={words.waitingPeriod}
          hint={words.waitingPeriodHint}
          type="number"
          min={0}
          max={36_500}
          value={String(organization.realm_waiting_period_threshold)}
          refusal={ownersOnly}
          isRequired
          change={(days) => edit({ waiting_period_threshold: Number(days) })}
        />
      </Section>
    </>
  );
}

/** What the operator has set at the start of the server: facts, with the names of the options. */
function Ways(): JSX.Element {
  const { store, words } = useAdmin();
  const found = useFetched(() => store.session.serverSettings.get(), []);
  const { authentication_methods: methods, external_authentication_methods: providers = [] } = found.value ?? {};
  return (
    <>
      <ErrorText action={found} />
      {methods && (
        <ul class="admin-facts">
          <li>{methods.email ? words.passwordsOn : words.passwordsOff}</li>
          <li>{methods.ldap ? words.directoryOn : words.directoryOff}</li>
          {providers.map(({ name, display_name }) => (
            <li key={name}>{words.providerOn(display_name)}</li>
          ))}
          {providers.length === 0 && <li>{words.providersOff}</li>}
        </ul>
      )}
      <p class="field-hint">{words.waysHint}</p>
    </>
  );
}

function Invitations({ organization, ownersOnly, edit }: SettingsProps): JSX.Element {
  const { words } = useAdmin();
  const groups = useGroups();
  return (
    <>
      <p class="muted">
        {words.invitationsHint} <Link to={{ view: 'people' }}>{words.invitePeople}</Link>
      </p>
      <ErrorText action={groups} />
      {groups.value && (
        <Permissions
          kind="realm"
          texts={words.invitationPermissionTexts}
          values={permissionsIn(organization, words.invitationPermissionTexts)}
          groups={groups.value}
          refusalOf={() => ownersOnly}
          change={(name, update) => edit({ [name]: update }, words.permissionQuestion)}
        />
      )}
      {organization.realm_max_invites !== undefined && (
        <TextSetting
          label={words.maxInvites}
          hint={words.maxInvitesHint}
          type="number"
          min={0}
          max={10_000}
          value={String(organization.realm_max_invites)}
          isRequired
          change={(count) => edit({ max_invites: Number(count) })}
        />
      )}
      {organization.realm_welcome_message_custom_text !== undefined && (
        <TextSetting
          label={words.welcomeText}
          hint={words.welcomeTextHint}
          value={organization.realm_welcome_message_custom_text}
          maxLength={8000}
          isMultiline
          change={(text) => edit({ welcome_message_custom_text: text })}
        />
      )}
    </>
  );
}

function AddressRules({ ownersOnly }: Pick<SettingsProps, 'ownersOnly'>): JSX.Element {
  const { words } = useAdmin();
  return (
    <>
      <OrganizationSwitch
        name="emails_restricted_to_domains"
        label={words.restrictDomains}
        hint={words.restrictDomainsHint}
        refusal={ownersOnly}
      />
      <OrganizationSwitch
        name="disallow_disposable_email_addresses"
        label={words.refuseDisposable}
        hint={words.refuseDisposableHint}
      />
    </>
  );
}

function Domains({ ownersOnly }: { ownersOnly: string | false }): JSX.Element {
  const { store, words } = useAdmin();
  const found = useLive(async () => (await store.session.allowedDomains.list()).domains, ['realm_domains', 'realm']);
  return (
    <>
      <ErrorText action={found} />
      {ownersOnly && <p class="muted">{ownersOnly}</p>}
      <List label={words.domains} items={found.value} empty={words.noDomains}>
        {({ domain, allow_subdomains }) => (
          <Line key={domain} name={domain} details={[allow_subdomains && words.withSubdomains]}>
            {!ownersOnly && (
              <RemoveButton
                name={domain}
                change={changeOf({
                  operation: 'allowedDomains.remove',
                  parameters: { domain },
                  question: words.removeDomainQuestion(domain),
                })}
              />
            )}
          </Line>
        )}
      </List>
      {!ownersOnly && <NewDomain />}
    </>
  );
}

function NewDomain(): JSX.Element {
  const { store, words } = useAdmin();
  const [domain, setDomain] = useState('');
  const [allow_subdomains, setHasSubdomains] = useState(false);
  return (
    <CreateForm
      submit={words.addDomain}
      create={() => store.session.allowedDomains.add({ domain: domain.trim(), allow_subdomains })}
      onCreated={() => setDomain('')}
    >
      {(error) => (
        <>
          <Input label={words.domain} value={domain} onInput={setDomain} error={error} isRequired />
          <CheckField label={words.withSubdomains} value={allow_subdomains} onChange={setHasSubdomains} />
        </>
      )}
    </CreateForm>
  );
}
