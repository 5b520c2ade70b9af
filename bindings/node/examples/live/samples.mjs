// What the page shows: files, and a patch as a model would write it.

const CART = `import { Item, Coupon } from "./types";

export class Cart {
  private items: Item[] = [];

  add(item: Item, quantity = 1) {
    for (let i = 0; i < quantity; i++) {
      this.items.push(item);
    }
  }

  remove(id: string) {
    this.items = this.items.filter((item) => item.id !== id);
  }

  subtotal(): number {
    return this.items.reduce((sum, item) => sum + item.price, 0);
  }

  total(coupon?: Coupon): number {
    let total = this.subtotal();
    if (coupon) {
      total -= coupon.amount;
    }
    return total;
  }
}
`;

const EXACT = `*** Begin Patch
*** Update File: cart.ts
@@   subtotal(): number {
-    return this.items.reduce((sum, item) => sum + item.price, 0);
+    const cents = this.items.reduce((sum, item) => sum + Math.round(item.price * 100), 0);
+    return cents / 100;
   }
@@   total(coupon?: Coupon): number {
     let total = this.subtotal();
     if (coupon) {
-      total -= coupon.amount;
+      total = Math.max(0, total - coupon.amount);
     }
*** Add File: cart.test.ts
+import { Cart } from "./cart";
+
+test("a coupon never makes a cart negative", () => {
+  const cart = new Cart();
+  cart.add({ id: "pen", price: 1.1 });
+  expect(cart.total({ amount: 5 })).toBe(0);
+});
*** End Patch
`;

const DRIFTED = `*** Begin Patch
*** Update File: cart.ts
@@ add(item: Item, quantity = 1) {
-for (let i = 0; i < quantity; i++) {
-  this.items.push(item);
-}
+this.items.push(...Array(quantity).fill(item));
@@ total(coupon?: Coupon): number {
     let total = this.subtotal();
     if (coupon) {
-      total -= coupon.amount;  
+      total = Math.max(0, total - coupon.amount);
     }
     return totl;
*** End Patch
`;

const REFUSED = `*** Begin Patch
*** Update File: cart.ts
@@   remove(id: string) {
-    this.items = this.items.filter((item) => item.id !== id);
+    const index = this.items.findIndex((item) => item.id === id);
+    if (index >= 0) this.items.splice(index, 1);
   }
@@   total(coupon?: Coupon): number {
     let total = this.subtotal();
     if (coupon) {
-      total -= coupon.percent * total / 100;
+      total *= 1 - coupon.percent / 100;
     }
*** End Patch
`;

const files = { "cart.ts": CART };

/** The samples by the last part of their address. */
export const SAMPLES = {
  exact: { title: "Quoted exactly", about: "Two edits and a new file, quoted as the file has them.", files, patch: EXACT },
  drifted: {
    title: "Quoted from memory",
    about: "The model has lost the indentation, and misspelt a line of context.",
    files,
    patch: DRIFTED,
  },
  refused: {
    title: "Refused",
    about: "The second edit removes a line that the file does not have. Nothing is changed.",
    files,
    patch: REFUSED,
  },
};
