import type { NavigationView, NavigationViewStore } from '../interface/navigation-views.ts';
import { SqlStore } from './connection.ts';
import { record } from './record.ts';

const VIEW = record<NavigationView>({ fragment: 'text', is_pinned: 'boolean', name: 'text' });

const OF_USER = `SELECT ${VIEW.columns} FROM navigation_views WHERE user_id = ?`;
const SET = `
  INSERT INTO navigation_views (${VIEW.columns}, user_id) VALUES (${VIEW.places}, ?)
  ON CONFLICT (user_id, fragment) DO UPDATE SET is_pinned = excluded.is_pinned, name = excluded.name`;
const REMOVE = 'DELETE FROM navigation_views WHERE user_id = ? AND fragment = ?';

export class SqlNavigationViews extends SqlStore implements NavigationViewStore {
  async of(userId: number, { toChange } = { toChange: false }): Promise<NavigationView[]> {
    if (toChange) await this.connection.concurrency?.serializeReader(userId);
    const views = await this.connection.many(VIEW, OF_USER, [userId]);
    // Engines differ in what they call alphabetical.
    return views.sort((one, other) => (one.fragment < other.fragment ? -1 : 1));
  }

  async set(userId: number, view: NavigationView): Promise<void> {
    await this.connection.run(SET, [...VIEW.values(view), userId]);
  }

  async remove(userId: number, fragment: string): Promise<boolean> {
    return (await this.connection.run(REMOVE, [userId, fragment])) > 0;
  }
}
