import { maxZoom, moveCrop, squareOf, wholePicture, zoomTo } from "../../shared/clients/page/desk/persona/crop.ts";
import { assertEquals } from "../support/assert.ts";

const wide = { width: 400, height: 200 };

Deno.test("a picture is cut to a square", async (t) => {
  await t.step("from its middle, as large as it goes", () => {
    assertEquals(squareOf(wide, wholePicture), { left: 100, top: 0, size: 200 });
    assertEquals(squareOf({ width: 1, height: 1 }, wholePicture), { left: 0, top: 0, size: 1 });
  });
  await t.step("moved, it stops at the edges", () => {
    assertEquals(squareOf(wide, moveCrop(wide, wholePicture, { right: 0.25, down: 0.25 })), {
      left: 150,
      top: 0,
      size: 200,
    });
    const atEdge = moveCrop(wide, wholePicture, { right: 9, down: 0 });
    assertEquals(squareOf(wide, atEdge).left, 200);
    // It leaves the edge with the first step back.
    assertEquals(squareOf(wide, moveCrop(wide, atEdge, { right: -0.5, down: 0 })).left, 100);
  });
  await t.step("enlarged, it keeps its middle, and stays inside when it is made smaller again", () => {
    const close = zoomTo(wide, wholePicture, 2);
    assertEquals(squareOf(wide, close), { left: 150, top: 50, size: 100 });
    const corner = moveCrop(wide, close, { right: -9, down: -9 });
    assertEquals(squareOf(wide, corner), { left: 0, top: 0, size: 100 });
    assertEquals(squareOf(wide, zoomTo(wide, corner, 1)), { left: 0, top: 0, size: 200 });
    // At the largest enlargement, and not beyond it: one step back makes it smaller again.
    assertEquals([zoomTo(wide, close, 99).zoom, zoomTo(wide, close, 0.5).zoom], [maxZoom, 1]);
    assertEquals(squareOf(wide, zoomTo(wide, close, 99)).size, 50);
  });
});
