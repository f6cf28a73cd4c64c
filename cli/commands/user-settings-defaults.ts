import { commands } from '../operations/metadata.ts';
import { currentState, settingsOf, showCommand } from './show.ts';

export const userSettingsDefaults = commands(
  'userSettingsDefaults',
  'Settings that new accounts begin with',
  {
    edit: {
      parsers: { email_notifications_batching_period_seconds: 'duration' },
      done({ parameters }) {
        const names = Object.keys(parameters);
        return names.length === 0
          ? 'Nothing was changed.'
          : `New accounts begin with other settings: ${names.join(', ')}.`;
      },
      examples: ['user-settings-defaults edit --email-address-visibility 3'],
    },
  },
  showCommand('Show the settings that new accounts begin with', ['user-settings-defaults show'], async (session) => {
    const { realm_user_settings_defaults } = await currentState(session, 'realm_user_settings_defaults');
    return settingsOf(
      'userSettingsDefaults.edit',
      (key) => (realm_user_settings_defaults as Record<string, unknown>)[key],
    );
  }),
);
