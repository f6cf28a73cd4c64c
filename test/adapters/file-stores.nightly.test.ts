import { fileStoreContract } from './file-store-contract.ts';
import { bucket, localPlace } from './store-places.ts';

// With the sizes of the product.
fileStoreContract('a folder', localPlace);
fileStoreContract('a bucket', (t) => bucket(t));
