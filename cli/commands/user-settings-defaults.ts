import { commands } from '../operations/metadata.ts';
import { currentState, settingsOf, showCommand } from './show.ts';

export const userSettingsDefaults = commands(
  'userSettingsDefaults',
  'Default settings of new accounts',
  {
    edit: {
      parsers: { email_notifications_batching_period_seconds: 'duration' },
      done({ parameters }) {
        const names = Object.keys(parameters);
        return names.length === 0
          ? 'Nothing was changed.'
          : `Changed the default settings of new accounts: ${names.join(', ')}.`;
      },
      examples: ['user-settings-defaults edit --email-address-visibility 3'],
    },
  },
  showCommand('Show the default settings of new accounts', ['user-settings-defaults show'], async (session) => {
    const { realm_user_settings_defaults } = await currentState(session, 'realm_user_settings_defaults');
    return settingsOf(
      'userSettingsDefaults.edit',
      (key) => (realm_user_settings_defaults as Record<string, unknown>)[key],
    );
  }),
);
