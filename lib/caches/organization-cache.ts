import type { Organization, Versions } from '../storage/interface/organization.ts';
import type { Transaction } from '../storage/interface/storage.ts';

/** The organization as it was read lately. */
export class OrganizationCache {
  #organization: Organization | undefined;

  /** The organization of a transaction, which has read its versions. */
  async of(tx: Transaction, { version }: Pick<Versions, 'version'>): Promise<Organization> {
    const kept = this.#organization;
    return kept?.version === version ? kept : ((await tx.organization.get()) as Organization);
  }

  /** Takes only what has been committed; one read in an older snapshot does not replace a newer one. */
  keep(organization: Organization): void {
    if (organization.version > (this.#organization?.version ?? -1)) this.#organization = organization;
  }
}
