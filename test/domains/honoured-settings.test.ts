import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { editOrganization } from '../../lib/domains/organization/settings/edit.ts';
import { ORGANIZATION_DEFAULTS } from '../../lib/rules/organization-settings.ts';
import { ORGANIZATION_PERMISSIONS } from '../../lib/rules/permission-settings.ts';

const LIB = new URL('../../lib', import.meta.url).pathname;

/** Files that declare, change and show settings. All other files use them. */
const NOT_ASKING =
  /^(domains\/organization\/settings\/|domains\/.*\/initial-state\.ts$|domains\/users\/role-change\.ts$|rules\/(organization|permission)-settings)/;

async function asked(): Promise<string> {
  const files = (await readdir(LIB, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !NOT_ASKING.test(name),
  );
  return (await Promise.all(files.map((name) => readFile(join(LIB, name), 'utf8')))).join('\n');
}

const accepted = (key: string) => Object.hasOwn(editOrganization.params, key);

test('exactly the organization permissions that the code uses can be changed', async () => {
  const code = await asked();
  for (const key of Object.keys(ORGANIZATION_PERMISSIONS)) {
    assert.equal(accepted(key), code.includes(`'${key}'`), key);
  }
});

/** Settings that organization.edit does not change. */
const ELSEWHERE = [
  ...['allowed_domains', 'empty_topic_display_name', 'pictures', 'user_settings_defaults'],
  // Set when the organization is created.
  'audience',
  // Changed by `chat.sync`.
  'mirror_locks',
  // Changed by responses of the push relay.
  ...['push_notifications_enabled', 'push_notifications_enabled_end_timestamp'],
];

test('exactly the organization settings that the code uses can be changed', async () => {
  const code = await asked();
  for (const key of Object.keys(ORGANIZATION_DEFAULTS)) {
    if (ELSEWHERE.includes(key)) continue;
    assert.equal(accepted(key), new RegExp(`organizationSetting\\([^;]*'${key}'|settings\\.${key}\\b`).test(code), key);
  }
});
